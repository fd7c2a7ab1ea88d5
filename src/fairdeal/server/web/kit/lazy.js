// The parts of a page that are loaded beside its data: modules that few moments show, stylesheets,
// drawings and documents. A page goes on without what only adorns it. While it waits for the rest,
// and when that does not come, it says so.
import { html, render, useEffect, useRef, useState } from '../vendor/htm-preact.js';
import { incomplete, loaded, missing, onMissing, repeated, tryAgain } from '../faults/again.js';
import { partOf } from './decoded.js';
import { gameOf, once, text, textOnce } from './api.js';
import { Card } from './card.js';

/** @import { GameFacts, Look, Place, Stateful } from '../types.js' */

/** A module, fetched when it is first wanted.
 * @template {object} Module @param {boolean} wanted @param {() => Promise<Module>} load
 * @returns {Module | null} */
export function useModule(wanted, load) {
  /** @type {Stateful<Module | null>} */ const [module, setModule] = useState(null);
  useEffect(() => {
    if (wanted && !module) loaded(load).then(setModule, () => 0);
  }, [wanted]);
  return module;
}

/** A part with this name, drawn when its module is there.
 * @template {string} Name @param {() => Promise<Record<Name, object>>} load @param {Name} name */
export function later(load, name) {
  return function Later(/** @type {object} */ props) {
    const module = useModule(true, load);
    return (
      module &&
      html`
        <${module[name]} ...${props} />
      `
    );
  };
}

/** @type {Set<string>} */
const sprites = new Set();

/** Put a sheet of drawings into the page, once, so that <use href="#id"> finds them.
 * @param {string} path */
export async function sprite(path) {
  if (sprites.has(path)) return;
  sprites.add(path);
  try {
    const holder = document.createElement('div');
    holder.innerHTML = await text(path);
    document.getElementById('sprites')?.append(holder);
  } catch {
    sprites.delete(path);
  }
}

/** Are there rules in a stylesheet? Those of one that has failed cannot be read.
 * @param {CSSStyleSheet} styles */
function isRead(styles) {
  try {
    return styles.cssRules.length > 0;
  } catch {
    return false;
  }
}

/** Wait until a stylesheet applies. @param {HTMLLinkElement} link
 * @param {AbortSignal} signal takes it away
 * @returns {Promise<void>} */
function applied(link, signal) {
  return new Promise((resolve, reject) => {
    const fail = () => {
      link.remove();
      reject(incomplete());
    };
    link.onload = () => resolve();
    link.onerror = fail;
    signal.onabort = fail;
    if (link.sheet) (isRead(link.sheet) ? resolve : fail)(); // it has come before, or failed
  });
}

/** Stylesheets that have failed and do not apply yet, without which cards have a plain look.
 * @type {Set<string>} */
const plain = new Set();

/** @param {string} href @param {boolean} isApplied */
function setPlain(href, isApplied) {
  plain[isApplied ? 'delete' : 'add'](href);
  document.documentElement.toggleAttribute('data-plain', plain.size > 0);
}

/** Load a stylesheet until it applies. Each try has an address of its own, so that it does not
 * wait for the last one.
 * @param {string} href @param {HTMLLinkElement | null} first the element of the first try, if the
 * page has it @param {() => void} done called when the page may go on: after the first try */
function insert(href, first, done) {
  let count = 0;
  return repeated((signal) => {
    const address = count ? `${href}?again=${count}` : href;
    const fresh = Object.assign(document.createElement('link'), {
      rel: 'stylesheet',
      href: address,
    });
    const link = (!count && first) || fresh;
    count += 1;
    if (!link.isConnected) document.head.append(link);
    return applied(link, signal)
      .finally(() => setPlain(href, link.isConnected))
      .finally(done);
  });
}

/** @type {Map<string, Promise<void>>} */
const sheets = new Map();

/** Put a stylesheet into the page, once; resolves when it applies, or the page must go on without
 * it for now. @param {string} href */
export function sheet(href) {
  const asked = sheets.get(href);
  if (asked) return asked;
  /** @type {Promise<void>} */
  const there = new Promise((done) => {
    insert(href, null, done).catch(() => sheets.delete(href));
  });
  sheets.set(href, there);
  return there;
}

/** Wait for the stylesheet of all pages, without which none can be used.
 * @param {HTMLLinkElement | null} link the element that loads it first @param {string} href
 * @param {() => void} [begin] called when it applies, or has failed once
 * @returns {Promise<void>} */
export const styled = (link, href, begin = () => {}) =>
  insert(href, link, begin).catch(() => styled(null, href));

/** A game's own stylesheet.
 * @param {string} game */
export const skin = (game) => sheet(`/games/${game}/skin.css`);

/** The drawings and faces of a game. @param {Place} at @param {string} game */
export async function lookOf(at, game) {
  sprite(`/games/${game}/emblems.svg`);
  const [found, faces] = await Promise.all([gameOf(game), once(`${at}/faces`), skin(game)]);
  const known = /** @type {GameFacts} */ (found);
  return { faces, game: known, skin: known.skin };
}

const TIME = new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeStyle: 'short' });

/** A document that the room writes as HTML, when it is there, for the element that holds it; or the
 * reason why there is none; and what asks for it again. Its times are those of this place.
 * @param {string} path @param {(part: HTMLElement, again: () => void) => void} [complete] adds to
 * the document what only the page can, and may ask for it again
 * @param {unknown} [at] is it added again? */
export function useDocument(path, complete, at) {
  const [found, setFound] = useState({ path: '', written: '', problem: '' });
  const part = useRef(null);
  const again = useRef(() => {});
  useEffect(() => {
    let left = false;
    const take = (/** @type {string} */ written, problem = '') =>
      left || setFound({ path, written, problem });
    const ask = path.startsWith('/api/games/') ? textOnce : text;
    again.current = () => void ask(path).then(take, (reason) => take('', reason.message));
    again.current();
    return () => {
      left = true;
    };
  }, [path]);
  const { written, problem } = found.path === path ? found : { written: '', problem: '' };
  useEffect(() => {
    const whole = /** @type {HTMLElement | null} */ (part.current);
    if (!whole) return;
    for (const time of whole.querySelectorAll('time')) {
      time.textContent = TIME.format(new Date(time.dateTime));
    }
    complete?.(whole, again.current);
  }, [found, at]);
  const laid = written && { ref: part, dangerouslySetInnerHTML: { __html: written } };
  return { problem, laid, again };
}

/** Draw the cards of a document in their places.
 * @param {HTMLElement} part @param {Pick<Look, 'faces' | 'skin'>} look */
export function drawCards(part, look) {
  for (const place of /** @type {NodeListOf<HTMLElement>} */ (
    part.querySelectorAll('[data-card]')
  )) {
    const card = partOf('Card', JSON.parse(place.dataset.card ?? ''));
    const face = look.faces[card.face ?? ''];
    const drawn = document.createElement('div');
    render(
      html`
        <${Card}
          card=${card}
          face=${face ? partOf('Face', face) : null}
          skin=${partOf('Skin', look.skin)}
        />
      `,
      drawn,
    );
    place.replaceWith(...drawn.childNodes);
  }
}

/** The number of times that a picture is requested again. A page is complete without it. */
const PICTURES = 4;

/** Try a picture again, which has failed. @param {HTMLImageElement} picture */
function redraw(picture) {
  const path = picture.src;
  const { search, searchParams } = new URL(path);
  if (searchParams.has('again')) return;
  let count = 0;
  const probe = () => {
    const next = Object.assign(new Image(), {
      src: `${path}${search ? '&' : '?'}again=${(count += 1)}`,
    });
    return next.decode().then(
      () => next.src,
      () => {
        throw incomplete();
      },
    );
  };
  repeated(probe, { most: PICTURES }).then(
    (found) => {
      if (picture.src === path) picture.src = found;
    },
    () => 0,
  );
}

/** Try pictures of the page again that fail. */
export const watchPictures = () =>
  addEventListener(
    'error',
    ({ target }) => {
      if (target instanceof HTMLImageElement && target.isConnected) redraw(target);
    },
    true,
  );

/** The missing parts, or null. */
export function useMissing() {
  const [now, setNow] = useState(missing);
  useEffect(() => onMissing(() => setNow(missing())), []);
  return now;
}

/** The button that tries at once what is missing.
 * @param {{ found: NonNullable<ReturnType<typeof missing>> }} props */
const Again = ({ found }) => html`
  <button class="btn main" disabled=${found.pressed} onClick=${tryAgain}>
    ${found.pressed ? 'Trying …' : 'Try again'}
  </button>
`;

/** A page that is not there yet, and what it waits for.
 * @param {{ says?: string }} props says: the state of the connection, if it does not work */
export function Dealing({ says = '' }) {
  const found = useMissing();
  if (!found) {
    return html`
      <main class="nothing" data-waits>
        <p>Dealing …</p>
        ${
          says &&
          html`
            <p role="status">${says}</p>
          `
        }
      </main>
    `;
  }
  return html`
    <main class="nothing" data-waits>
      <h1>Waiting for the room</h1>
      <p role="status">${found.sentence} This page keeps trying.</p>
      <${Again} found=${found} />
      ${
        location.pathname !== '/' &&
        html`
          <a class="btn bare" href="/">To the lobby</a>
        `
      }
    </main>
  `;
}

/** The notice of missing parts on a page. */
export function Incomplete() {
  const found = useMissing();
  return (
    found &&
    html`
      <aside class="missing" role="status" aria-label="Something is missing">
        <p>${found.sentence}</p>
        <${Again} found=${found} />
      </aside>
    `
  );
}
