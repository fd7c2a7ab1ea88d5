// A room of boardgame.io with its flat files: a game with two hidden hands, in which a player draws
// a card and discards one. Usage: node boardgame.js FOLDER
const { FlatFile, Origins, Server } = require('boardgame.io/server');
const { PlayerView } = require('boardgame.io/core');

const CARDS = 64;
const HAND = 4;

const game = {
  name: 'cards',
  playerView: PlayerView.STRIP_SECRETS,
  setup({ random }) {
    const deck = random.Shuffle([...Array(CARDS).keys()]);
    const players = { 0: deck.splice(0, HAND), 1: deck.splice(0, HAND) };
    return { secret: { deck }, players, discards: [], left: deck.length };
  },
  turn: { minMoves: 1, maxMoves: 1 },
  moves: {
    discard: {
      client: false,
      move({ G, playerID, random }, place) {
        if (!G.secret.deck.length) G.secret.deck = random.Shuffle(G.discards.splice(0));
        const hand = G.players[playerID];
        G.discards.push(...hand.splice(place, 1));
        hand.push(G.secret.deck.pop());
        G.left = G.secret.deck.length;
      },
    },
  },
};

const server = Server({
  games: [game],
  db: new FlatFile({ dir: process.argv[2] }),
  origins: [Origins.LOCALHOST],
});
server.run(0).then(({ appServer }) => {
  process.stdout.write(`http://127.0.0.1:${appServer.address().port}\n`);
});
