// The page on which guests keep their names, which the room writes. The words of a link stand
// behind its `#`, which browsers send to no room, so the page enters them.
import { GAMES, lasting } from './stored.js';

const field = document.querySelector('textarea');

function enter() {
  const words = location.hash.slice(1);
  if (!field || !words) return;
  history.replaceState(null, '', location.pathname);
  field.value = words;
  field.form?.requestSubmit();
}

enter();
addEventListener('submit', () => lasting.remove(GAMES)); // the guest may be another one afterwards
addEventListener('hashchange', enter);
