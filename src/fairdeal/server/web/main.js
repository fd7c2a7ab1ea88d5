// The address decides which page is shown, and links change the address. What a page needs is
// fetched when it is first shown, and soon after that of the page that often comes next.
import { html, render, useCallback, useEffect, useState } from './vendor/htm-preact.js';
import { away, isAway, leave, loaded, watchConnection } from './faults/again.js';
import { here } from './kit/api.js';
import { Dealing, Incomplete, sprite, styled, watchPictures } from './kit/lazy.js';
import { useQuestion } from './kit/press.js';
import './translated.js';

/** The time after which the likely next pages are fetched, in milliseconds. */
const AHEAD = 2500;

/** @type {Record<string, () => Promise<object>>} */
const PAGES = {
  lobby: async () => (await import('./lobby/lobby.js')).Lobby,
  table: async () => (await import('./table/table.js')).TablePage,
  replay: async () => (await import('./replay/replay.js')).Replay,
  rules: async () => (await import('./learn/rules.js')).RulesPage,
  analysis: async () => (await import('./analysis/analysis.js')).AnalysisPage,
  learn: async () => (await import('./learn/learn.js')).LearnPage,
  evening: async () => (await import('./evening/evening.js')).EveningPage,
  today: async () => (await import('./today/today.js')).TodayPage,
  you: async () => (await import('./you/you.js')).YouPage,
  privacy: async () => (await import('./privacy/privacy.js')).PrivacyPage,
  document: async () => (await import('./kit/page.js')).DocumentPage,
};

/** Resolves when the stylesheet of all pages applies. @type {Promise<void>} */
let styles;

const idle = globalThis.requestIdleCallback ?? ((/** @type {() => void} */ work) => work());

/** Has the visitor asked for little to be fetched? */
const sparing = () =>
  /** @type {{ connection?: { saveData: boolean } }} */ (navigator).connection?.saveData;

/** The page of that name, when it is there. @param {string} name */
function usePage(name) {
  const [pages, setPages] = useState(/** @type {Record<string, object>} */ ({}));
  useEffect(() => {
    let timer = 0;
    const show = (/** @type {object} */ page) => {
      setPages((found) => ({ ...found, [name]: page }));
      if (sparing()) return;
      const next = PAGES[name === 'table' ? 'lobby' : 'table'];
      timer = setTimeout(() => idle(() => next().catch(() => 0)), AHEAD);
    };
    Promise.all([loaded(PAGES[name]), styles]).then(
      ([page]) => show(page),
      () => 0,
    );
    return () => clearTimeout(timer);
  }, [name]);
  return pages[name];
}

/** Return the page and the parameters of an address. @param {string} address */
function read(address) {
  const url = new URL(address, location.origin);
  // without the room, tables and lessons are only looked at
  const move = url.searchParams.get('move') ?? (isAway() ? '0' : null);
  if (url.pathname === '/privacy') return { name: 'privacy' };
  if (url.pathname === '/you') return { name: 'you', at: `/api/you.html${url.search}` };
  const rated = url.pathname.match(/^\/ratings\/([\w-]+)$/)?.[1];
  if (rated) {
    return { name: 'document', id: rated, at: `/api/ratings/${rated}/page.html`, kind: 'you' };
  }
  if (url.pathname === '/today') return { name: 'today', id: url.searchParams.get('deal') ?? '0' };
  const evening = url.pathname.match(/^\/evening\/([\w-]+)$/)?.[1];
  if (evening) return { name: 'evening', id: evening, screen: url.searchParams.has('screen') };
  const rules = url.pathname.match(/^\/rules\/([\w-]+)$/)?.[1];
  if (rules) return { name: 'rules', id: rules, clause: location.hash.slice(1) };
  const looked = url.pathname.match(/^\/g\/([\w-]+)\/analysis$/)?.[1];
  if (looked) return { name: 'analysis', id: looked };
  const [, taught, lesson] = url.pathname.match(/^\/learn\/([\w-]+)(?:\/([\w-]+))?$/) ?? [];
  if (taught && !lesson) return { name: 'learn', id: taught };
  if (taught && !isAway()) {
    return { name: 'table', id: `${taught}-${lesson}`, at: `/api/lessons/${taught}/${lesson}` };
  }
  const table = url.pathname.match(/^\/t\/([\w-]+)$/)?.[1];
  const id = table ?? (taught && `${taught}-${lesson}`);
  if (!id) {
    const [game, preset] = ['game', 'preset'].map((fact) => url.searchParams.get(fact) ?? '');
    return { name: 'lobby', game, preset };
  }
  if (move === null) return { name: 'table', id, watch: url.searchParams.has('watch') };
  return { name: 'replay', id, move: Math.max(0, Number(move) || 0) };
}

/** Return the part of an address that decides which page it is. @param {string} address */
function pageAt(address) {
  const { name, id = '' } = read(address);
  return `${name} ${id}`;
}

const address = () => location.pathname + location.search;

function Room() {
  const [shown, setShown] = useState(address);
  const arrive = (/** @type {string} */ to) =>
    setShown((last) => {
      if (pageAt(last) !== pageAt(to)) leave();
      return to;
    });
  const go = useCallback((/** @type {string} */ to, replace = false) => {
    const within = to.startsWith('/?') && location.pathname === '/'; // a sheet over the page
    history[replace ? 'replaceState' : 'pushState'](null, '', to);
    arrive(to);
    if (!replace && !within) scrollTo(0, 0);
  }, []);
  useEffect(() => {
    const back = () => arrive(address());
    addEventListener('popstate', back);
    return () => removeEventListener('popstate', back);
  }, []);
  useEffect(() => void sprite(here('icons.svg')), [shown]);
  const { name, ...wanted } = read(shown);
  useQuestion(`${name} ${wanted.id ?? wanted.game}`);
  const Page = usePage(name);
  return html`
    ${
      Page
        ? html`
            <${Page} key=${pageAt(shown)} ...${wanted} go=${go} />
          `
        : html`
            <${Dealing} />
          `
    }
    <${Incomplete} />
  `;
}

/** Wait for the elements of the page, and until the stylesheet that its head names applies or has
 * failed. */
async function ready() {
  if (document.readyState === 'loading') {
    await new Promise((done) => document.addEventListener('DOMContentLoaded', done));
  }
  const link = /** @type {HTMLLinkElement} */ (document.querySelector('link[rel=stylesheet]'));
  await new Promise((begin) => {
    styles = styled(link, /** @type {string} */ (link.getAttribute('href')), () => begin(0));
  });
}

if (document.documentElement.dataset.kept) away();
setTimeout(() => {
  if (!sparing()) navigator.serviceWorker?.register('/worker.js').catch(() => 0);
}, AHEAD);
watchPictures();
watchConnection();
sprite(here('icons.svg'));
await ready();
const root = /** @type {HTMLElement} */ (document.getElementById('room'));
root.textContent = '';
render(
  html`
    <${Room} />
  `,
  root,
);
