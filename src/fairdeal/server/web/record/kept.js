// Finished games of the guest, for when the room cannot be reached: the lobby that lists them, and
// the answers to the requests of a replay, from what this browser has recorded of what they saw.

import { GAMES, lasting } from '../privacy/stored.js';
import { database } from './database.js';
import { Reader } from './record.js';

/** @import { Lobby } from '../types.js' */

const GAME = /^\/api\/tables\/([\w-]+)(\/faces|\/moments\/(\d+)\?.*)?$/;

/** The answer to a request, or nothing. @param {string} path */
export async function recorded(path) {
  const lobby = /** @type {Lobby | null} */ (JSON.parse(lasting.get(GAMES) ?? 'null'));
  if (path === '/api/lobby') return lobby;
  const [, id, part, move] = path.match(GAME) ?? [];
  const facts = lobby?.mine.find((one) => one.id === id);
  if (!facts || !part) return facts;
  const reader = new Reader(facts.id);
  const lines = await (await database()).read(facts.id, 0);
  lines.forEach(({ line }) => reader.add(JSON.parse(line)));
  const { faces, visits } = reader.record;
  if (!move) return faces;
  const shown = [...visits.values()].flatMap(({ scenes }) => scenes.map(({ scene }) => scene));
  const own = shown.filter(({ viewer, draft }) => viewer === facts.seat && !draft);
  // in the order of their numbers
  const scenes = Object.values(Object.fromEntries(own.map((scene) => [scene.seq, scene])));
  const moves = scenes.length - 1;
  const log = scenes.flatMap(({ events }, number) => events.map((one) => ({ ...one, number })));
  return { move: Number(move), moves, scene: scenes[Math.min(Number(move), moves)], log };
}
