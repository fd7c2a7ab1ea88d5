// The service worker of the room: it keeps the page, rules and lessons for when the room cannot be
// reached. All of it comes as one file, whose hash names the cache, so that nothing of two versions
// of the room is mixed, and nothing of a guest is in it. What the room can answer, it answers. It
// also shows the notices that the room pushes while no page is open.

const worker = /** @type {import('./types.js').Worker} */ (/** @type {unknown} */ (self));

const APP = 'fairdeal app ';

const cache = () => caches.open(APP + worker.kept);

/** Fetch what is kept, and take the place of the worker before. */
async function keep() {
  const found = await fetch(`/app/${worker.kept}.json`);
  if (!found.ok) throw new Error('The room has another version.');
  const files = await found.json();
  const policy = found.headers.get('content-security-policy') ?? '';
  for (const [path, [type, content]] of Object.entries(files)) {
    const text = typeof content === 'string' ? content : JSON.stringify(content);
    const headers = { 'content-type': type, 'content-security-policy': policy, 'x-kept': 'true' };
    await (await cache()).put(path, new Response(text, { headers }));
  }
  await worker.skipWaiting();
}

/** Delete what earlier versions kept, except for the last one, whose files open tables may need. */
async function begin() {
  const names = (await caches.keys()).filter((name) => name.startsWith(APP));
  await Promise.all(names.slice(0, -2).map((name) => caches.delete(name)));
  await worker.clients.claim();
}

/** Return the room's answer, or if it cannot be reached, what is kept. A proxy may say so, too.
 * @param {Request} request */
async function answer(request) {
  const fresh = await fetch(request).catch(() => null);
  if (fresh && fresh.status < 502) return fresh;
  const kept = await (await cache()).match(request.mode === 'navigate' ? '/' : request);
  return kept ?? fresh ?? Response.error();
}

worker.addEventListener('install', (event) => event.waitUntil(keep()));
worker.addEventListener('activate', (event) => event.waitUntil(begin()));
worker.addEventListener('fetch', (event) => {
  const { request } = event;
  const { pathname } = new URL(request.url);
  if (request.method !== 'GET') return;
  if (pathname.startsWith('/web/v-')) {
    event.respondWith(caches.match(request).then((kept) => kept ?? fetch(request)));
  } else if (request.mode !== 'navigate' || !pathname.startsWith('/api/')) {
    event.respondWith(answer(request));
  }
});

/** Show a table: where it is shown already, or in a new window. @param {string} path */
async function open(path) {
  const pages = await worker.clients.matchAll({ type: 'window' });
  const found = pages.find(({ url }) => new URL(url).pathname === path);
  return found ? found.focus() : worker.clients.openWindow(path);
}

worker.addEventListener('push', (event) => {
  const { table, game, text } = event.data.json();
  const data = `/t/${table}`;
  // a later notice of a table takes the place of an earlier one
  const look = { body: text, tag: `fairdeal ${data}`, icon: '/web/icons/192.png', data };
  event.waitUntil(worker.registration.showNotification(game, look));
});
worker.addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(open(event.notification.data));
});
