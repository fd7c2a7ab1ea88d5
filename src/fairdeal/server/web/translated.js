// Browsers that translate a page put elements of their own in the place of its texts: FONT, which
// this client does not use. Preact would go on writing to texts that are not on the page any more,
// and fail to insert beside them. Here the element that stands for a text stands for it in Preact's
// tree too, until the text changes: then the text returns, and is translated again.
import { options } from './vendor/htm-preact.js';

/** @typedef {import('./vendor/htm-preact.js').Vnode} Vnode */

/** The texts of Preact's nodes. @type {WeakMap<Node, string>} */
const said = new WeakMap();
/** The element that stands for a text. @type {WeakMap<Node, HTMLElement>} */
const standIns = new WeakMap();
/** The text that an element stands for. @type {WeakMap<Node, Text>} */
const originals = new WeakMap();

/** Does a node stand for a text, as far as is known for none yet? @param {Node | null} node
 * @returns {node is HTMLElement} */
const isFree = (node) =>
  node instanceof HTMLElement && node.localName === 'font' && !originals.has(node);

/** Remember what stands for a text that was taken from the page.
 * @param {MutationRecord} record */
function note({ addedNodes, removedNodes, previousSibling, nextSibling }) {
  for (const text of removedNodes) {
    const font = [...addedNodes, previousSibling, nextSibling].find(isFree);
    if (!font || !(text instanceof Text) || !said.has(text)) continue;
    standIns.set(text, font);
    originals.set(font, text);
  }
}

const noticed = new MutationObserver((records) => records.forEach(note));

/** Return the node on the page that stands for another, if there is one.
 * @param {Node | null} node */
function standInOf(node) {
  noticed.takeRecords().forEach(note);
  const font = node && standIns.get(node);
  return font?.isConnected ? font : null;
}

/** A text has been drawn. If it says what it said, it remains translated.
 * @param {Vnode} vnode @param {Node} node */
function drawn(vnode, node) {
  const text = /** @type {Text} */ (originals.get(node) ?? node);
  const font = standInOf(text);
  const says = String(vnode.props);
  const before = said.get(text);
  said.set(text, says);
  if (font && before === says) {
    vnode.__e = font;
    return;
  }
  if (font || node !== text) text.data = says;
  font?.replaceWith(text);
  const last = standIns.get(text);
  if (last) originals.delete(last);
  standIns.delete(text);
  vnode.__e = text;
}

const { diffed, unmount } = options;
options.diffed = (vnode) => {
  if (vnode.type === null && vnode.__e) drawn(vnode, vnode.__e);
  diffed?.(vnode);
};
options.unmount = (vnode) => {
  if (vnode.type === null) standInOf(vnode.__e)?.remove();
  unmount?.(vnode);
};

const { insertBefore } = Node.prototype;
/** Insert before what stands for a text where the text itself is not there.
 * @template {Node} Inserted @param {Inserted} node @param {Node | null} before */
Node.prototype.insertBefore = function (node, before) {
  const at = before && before.parentNode !== this ? standInOf(before) : before;
  const what = standInOf(node) ?? node;
  insertBefore.call(this, what, at?.parentNode === this ? at : null);
  return node;
};

noticed.observe(document, { childList: true, subtree: true });
