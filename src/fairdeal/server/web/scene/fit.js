// The layout of the middle, which fits zones, frames and a headline into boxes. Cards are as large
// as there is room for, and never smaller than can be tapped: then the middle scrolls.

/** @import { Card, Headline, Panel, Zone } from '../types.js' */

/** The room, and in pixels the letters of the page and the widest cards of each size.
 * @typedef {{ width: number, height: number, rem: number, most: Record<string, number> }} Room */
/** A part of the middle: zones in a band on top, a frame of zones, a headline, or one zone.
 * @typedef {{ band?: Zone[], frame?: Panel, headline?: Headline, featured?: number, zone?: Zone,
 *   zones?: Zone[] }} Part */
/** Where it lies. Of cards: how wide they are, how wide all of a line are, how far it is from one
 * to the next in a line or a column, and the columns of a grid.
 * @typedef {{ x: number, y: number, width: number, height: number, w: number, line: number,
 *   step: number, strip: number, columns: number, bar: boolean, inside: Box[] }} Box */
/** A way to arrange the parts: the number of lines of a row, whether the headline is one line,
 * whether grids turn to what they are on narrow screens, whether frames share the width and many
 * lanes two columns, how much is seen of a card in a column and at least of one in a line.
 * @typedef {{ lines: number, bar: boolean, narrow: boolean, abreast: boolean, strip: number,
 *   seen: number, worth: number }} Way */
/** @typedef {{ height: number, items: Box[] }} Line */
/** @typedef {{ boxes: Box[], width: number, height: number, scrolls: boolean, w: number,
 *   way: Way | null }} Fitted */

/** Sizes in rem: the narrowest cards, also those of places, which are looked at as a whole, what
 * lies between parts, the edges of the middle, the name of a zone and its count in letters, a mark
 * below a card, tokens, a band with its cards, a frame with its edge and heads, a headline, a bar
 * to scroll by, and a middle as slim as that of a phone. */
const LEAST = 2;
const LEAST_IN_GRID = 1.5;
const GAP = 1;
const EDGE = { x: 0.75, y: 0.25 };
const NAME = 1.81;
const LETTER = 0.46;
const COUNT = 4;
const MARK = 0.9;
const TOKENS = { width: 5, height: 2.3 };
const BAND = { height: 6, share: 0.4, card: 3.6, gap: 0.25 };
const FRAME = { x: 0.95, y: 0.8, head: 1.75, cell: 1.3, gap: 0.75, label: 4.25 };
const BLOCK = { width: 11.5, big: 4.75, tag: 1.5, line: 1.3, letters: 22 };
const SCROLLBAR = 0.75;
const SLIM = 30;

/** The widest card of a layout, in rem, where its size does not say it. */
const MOST = { grid: 6, column: 6, ring: 2.9 };

/** Rows without columns are lanes; with more than these, they may lie in columns. */
const MOST_LANES = 3;

/** @type {Way} */
const USUAL = {
  ...{ lines: 1, bar: false, narrow: false, abreast: true },
  ...{ strip: 0.3, seen: 0.5, worth: 1 },
};

/** The height of a card is its width times this. */
const HIGH = 1.4;

/** Cards keep their width until they could be larger by this factor, so that they hold still. */
const KEEP = 1.125;

/** Cards that lie on one another are one place. @param {Card[]} cards */
export function groups(cards) {
  /** @type {Card[][]} */
  const found = [];
  /** @type {Map<number, Card[]>} */
  const by = new Map();
  for (const card of cards) {
    const { group } = card;
    const last = by.get(group);
    if (group >= 0 && last) last.push(card);
    else {
      found.push([card]);
      if (group >= 0) by.set(group, found[found.length - 1]);
    }
  }
  return found;
}

/** @type {WeakMap<Card[], { lying: number, deep: number }>} */
const counts = new WeakMap();

/** Return the number of places of cards, and the largest number of cards on the first of a place,
 * at least `least`.
 * @param {Card[]} cards @param {number} least */
function countOf(cards, least) {
  const found = counts.get(cards) ?? counted(cards);
  return { ...found, deep: Math.max(least, found.deep) };
}

/** @param {Card[]} cards */
function counted(cards) {
  const found = groups(cards);
  const count = { lying: found.length, deep: largest(found.map((group) => group.length - 1)) };
  counts.set(cards, count);
  return count;
}

const sum = (/** @type {number[]} */ numbers) => numbers.reduce((all, one) => all + one, 0);
const largest = (/** @type {number[]} */ numbers) => Math.max(0, ...numbers);

/** @type {Readonly<Box>} */
const EMPTY = {
  ...{ x: 0, y: 0, width: 0, height: 0, w: 0, line: 0, step: 0, strip: 0, columns: 0 },
  ...{ bar: false, inside: [] },
};

/** Places of equal width in lines of equal length. @param {number} count @param {number} wide
 * @param {number} gap @param {number} width */
function inLines(count, wide, gap, width) {
  const most = Math.max(1, Math.floor((width + gap + 0.01) / (wide + gap)));
  const lines = Math.ceil(count / most);
  const per = Math.ceil(count / lines);
  return { lines, line: per * wide + (per - 1) * gap };
}

/** Arrange the cards of a zone, each `w` wide, in a given width.
 * @param {Zone} zone @param {number} w @param {number} width @param {Way} way
 * @param {number} rem */
function cardsOf(zone, w, width, way, rem) {
  const { layout, cards } = zone;
  const high = w * HIGH;
  if (zone.icon) return { line: TOKENS.width * rem, high: TOKENS.height * rem, lines: 1 };
  if (layout === 'stack') return { line: w, high, lines: 1 };
  if (layout === 'ring') return { line: w * 3.24, high: high * 3 + w * 0.24, lines: 1 };
  if (layout === 'grid') {
    const [columns = 0] = (way.narrow && zone.narrow) || [zone.cols];
    const rows = Math.max(1, Math.ceil(cards.length / (columns || 1)));
    const gap = rem * (width < SLIM * rem ? 0.4 : 0.6);
    const line = (columns || 1) * w + Math.max(0, columns - 1) * gap;
    return { line, high: rows * high + (rows - 1) * gap + rem, lines: 1, columns, step: gap };
  }
  if (layout === 'column') {
    const strip = w * way.strip;
    const places = Math.max(cards.length, zone.slots, 1);
    return { line: w, high: high + strip * (places - 1), lines: 1, strip };
  }
  if (layout === 'lap' || layout === 'fan') {
    const places = Math.max(cards.length, zone.slots, 1);
    const least = Math.max(0.7 * rem, w * way.seen);
    const most = 1 + Math.max(0, Math.floor((width - w) / least));
    const lines = Math.ceil(places / most);
    const per = Math.ceil(places / lines);
    const step = Math.min(w * 1.08, per > 1 ? (width - w) / (per - 1) : Infinity);
    const line = (per - 1) * Math.max(step, least) + w;
    return { line, high: lines * high + (lines - 1) * MARK * rem, lines, step };
  }
  const { lying, deep } = countOf(cards, layout === 'groups' && zone.slots ? 1 : 0);
  const places = Math.max(lying, zone.slots, 1);
  const gap = w * (layout === 'groups' ? 0.28 : 0.12);
  const { lines, line } = inLines(places, w * (1 + 0.08 * deep), gap, width);
  const each = high + w * 0.34 * deep;
  return { line, high: lines * each + (lines - 1) * MARK * rem, lines };
}

/** Return the largest width of a zone's cards. @param {Zone} zone @param {Room} room */
const mostOf = ({ layout, size }, { rem, most }) => {
  const own = MOST[/** @type {keyof typeof MOST} */ (layout)];
  return own ? own * rem : most[size || 'table'];
};

/** A zone and its name, or nothing if it would take more lines than it may.
 * @param {Zone} zone @param {number} w @param {number} width @param {Way} way @param {Room} room */
function zoneBox(zone, w, width, way, room) {
  const { rem } = room;
  const wide = Math.min(w, mostOf(zone, room));
  const { high, lines, ...more } = cardsOf(zone, wide, width, way, rem);
  const said = (zone.label.length + COUNT) * LETTER * rem;
  return {
    ...EMPTY,
    ...more,
    w: wide,
    width: Math.max(more.line, zone.label ? Math.min(said, width) : 0),
    height: high + (zone.label ? NAME * rem : 0) + (lines > way.lines ? Infinity : 0),
  };
}

/** One after the other, in lines. @param {Box[]} boxes @param {number} width @param {number} gap
 * @returns {Line[]} */
function flow(boxes, width, gap) {
  /** @type {Box[][]} */
  const lines = [];
  let used = Infinity;
  for (const box of boxes) {
    if (used + gap + box.width > width + 0.01) {
      lines.push([]);
      used = -gap;
    }
    lines[lines.length - 1].push(box);
    used += gap + box.width;
  }
  return lines.map((items) => ({ items, height: largest(items.map((one) => one.height)) }));
}

/** Return the size of lines. @param {Line[]} lines @param {number} gap */
const extent = (lines, gap) => ({
  width: largest(
    lines.map(({ items }) => sum(items.map((one) => one.width)) + gap * (items.length - 1)),
  ),
  height: sum(lines.map((line) => line.height)) + gap * Math.max(0, lines.length - 1),
});

/** The rows and columns of a frame with the zones of each cell, what lies in none of them, how many
 * lanes there are, and how many cells may lie beside each other.
 * @param {Panel} panel @param {Zone[]} zones */
export function cellsOf(panel, zones) {
  const rows = panel.rows.length ? panel.rows : [''];
  const columns = panel.cols.length ? panel.cols : [''];
  const lanes = panel.rows.length && !panel.cols.length ? rows.length : 0;
  const cells = rows.flatMap((row) =>
    columns.map((column) => ({
      row,
      column,
      zones: zones.filter((one) => one.row === row && one.col === column),
    })),
  );
  const placed = new Set(cells.flatMap((cell) => cell.zones));
  const free = zones.filter((zone) => !placed.has(zone));
  return { cells, free, lanes, across: lanes ? Math.ceil(lanes / MOST_LANES) : columns.length };
}

/** A frame with its title, its cells and all that lies in them.
 * @param {Panel} panel @param {Zone[]} zones @param {number} w @param {number} width
 * @param {Way} way @param {Room} room */
function frameBox(panel, zones, w, width, way, room) {
  const { rem } = room;
  const gap = FRAME.gap * rem;
  const { cells, free, lanes, across: usual } = cellsOf(panel, zones);
  const across = lanes && !way.abreast ? 1 : usual;
  const label = lanes ? FRAME.label * rem : 0;
  const most = width - 2 * FRAME.x * rem;
  const each = (most - (across - 1) * gap) / across - label;
  const laid = (/** @type {Zone[]} */ some, /** @type {number} */ within) => {
    const inside = some.map((zone) => zoneBox(zone, w, within, way, room));
    return { inside, ...extent(flow(inside, within, gap), gap) };
  };
  const above = laid(free, most);
  const found = cells.map((cell) => laid(cell.zones, each));
  const head = cells.some(({ row, column }) => row || column) && !lanes ? FRAME.cell * rem : 0;
  const least = Math.min(most, `${panel.title} ${panel.text}`.length * 0.6 * rem);
  const wide = Array.from({ length: across }, (_, at) =>
    largest(found.filter((_one, number) => number % across === at).map((one) => one.width)),
  );
  const high = Array.from({ length: Math.ceil(found.length / across) }, (_, at) =>
    Math.max(
      1.5 * rem,
      ...found.slice(at * across, (at + 1) * across).map((one) => one.height + head),
    ),
  );
  const inner = sum(wide) + across * label + (across - 1) * gap;
  const parts = [...(free.length ? [above.height] : []), ...high];
  return {
    ...EMPTY,
    width: Math.max(inner, above.width, least) + 2 * FRAME.x * rem,
    height: sum(parts) + gap * parts.length + (FRAME.head + 2 * FRAME.y) * rem,
    columns: across,
    inside: [...above.inside, ...found.flatMap((one) => one.inside)],
  };
}

/** A headline as a block, with its featured cards, or as a line of words.
 * @param {Headline} headline @param {number} featured @param {number} width @param {Way} way
 * @param {Room} room */
function headlineBox({ tag, big, text }, featured, width, way, room) {
  const { rem, height } = room;
  if (way.bar && !featured) {
    const said = (tag.length * 0.55 + big.length * 1.1 + text.length * 0.55 + 2) * rem;
    const lines = Math.ceil(said / width);
    return { ...EMPTY, width, height: (lines + 1) * rem, bar: true };
  }
  const u = Math.min(rem, 0.049 * height, 0.049 * width);
  const lines = Math.max(2, Math.ceil(text.length / BLOCK.letters));
  const cards = featured ? u * 4.5 * HIGH + NAME * rem : 0;
  return {
    ...EMPTY,
    width: Math.min(width, featured ? Math.max(BLOCK.width * rem, u * 17) : BLOCK.width * rem),
    height: u * BLOCK.big + (BLOCK.tag + lines * BLOCK.line) * rem + cards,
  };
}

/** A band over all else: its cards take no more than it is high.
 * @param {Zone[]} zones @param {number} width @param {Room} room */
function bandBox(zones, width, room) {
  const { rem } = room;
  const height = Math.min(BAND.height * rem, room.height * BAND.share);
  const gap = GAP * rem;
  const each = (width - gap * (zones.length - 1)) / Math.max(1, zones.length);
  const way = { ...USUAL, seen: 0.2 };
  let inside = /** @type {Box[]} */ ([]);
  for (let w = Math.floor(Math.min(BAND.card * rem, (0.92 * height) / HIGH)); w > rem; w -= 1) {
    inside = zones.map((zone) => zoneBox({ ...zone, label: '' }, w, each, way, room));
    const taken = extent(flow(inside, width, gap), gap);
    if (taken.height <= height && taken.width <= width) break;
  }
  return { ...EMPTY, width, height, inside };
}

/** The boxes of parts without their places. @param {Part[]} parts @param {number} w
 * @param {number} width @param {Way} way @param {Room} room */
function boxesOf(parts, w, width, way, room) {
  const frames = way.abreast ? parts.filter((part) => part.frame).length : 1;
  const each = (width - GAP * room.rem * (frames - 1)) / Math.max(1, frames);
  return parts.map(({ frame, zones = [], headline, featured = 0, zone }) => {
    if (frame) return frameBox(frame, zones, w, each, way, room);
    if (headline) return headlineBox(headline, featured, width, way, room);
    return zoneBox(/** @type {Zone} */ (zone), w, width, way, room);
  });
}

/** All zones of parts. @param {Part[]} parts */
const zonesOf = (parts) =>
  parts.flatMap(({ zone, zones = [], frame }) => (zone ? [zone] : frame ? zones : []));

/** Each way in each of the variants. @param {Way[]} ways @param {Partial<Way>[]} variants
 * @returns {Way[]} */
const varied = (ways, variants) =>
  ways.flatMap((way) =>
    variants.map((more) => ({ ...way, ...more, worth: way.worth * (more.worth ?? 1) })),
  );

/** The ways to lay these parts, the usual one first: rows are shortened or broken only if cards
 * get much larger by that, and a headline is a block where there is width for it.
 * @param {Part[]} parts @param {boolean} slim @returns {Way[]} */
function waysOf(parts, slim) {
  const zones = zonesOf(parts);
  const frames = parts.filter((part) => part.frame);
  const has = (/** @type {string} */ layout) => zones.some((zone) => zone.layout === layout);
  const lanes = frames.some((part) => (part.frame?.rows?.length ?? 0) > MOST_LANES);
  /** @type {[boolean, Partial<Way>[]][]} */
  const variants = [
    [has('lap') || has('fan'), [{}, { seen: 0.3, worth: 0.75 }]],
    [true, [{}, { lines: Infinity, worth: 0.6 }]],
    [
      parts.length > 1 && parts.some((part) => part.headline),
      [
        { bar: slim, worth: 1 },
        { bar: !slim, worth: 0.8 },
      ],
    ],
    [zones.some((zone) => zone.narrow), [{}, { narrow: true }]],
    [frames.length > 1 || lanes, [{}, { abreast: false }]],
    [has('column'), [{ strip: 0.5 }, { strip: 0.4 }, { strip: 0.3 }]],
  ];
  return variants.reduce((ways, [is, some]) => (is ? varied(ways, some) : ways), [USUAL]);
}

/** Lines of about the same length: as narrow as they can be without one more.
 * @param {Box[]} boxes @param {number} width @param {number} gap */
function evened(boxes, width, gap) {
  let found = flow(boxes, width, gap);
  const { height } = extent(found, gap);
  for (let narrower = width - 4; narrower > 0; narrower -= 4) {
    const next = flow(boxes, narrower, gap);
    if (next.length > found.length || extent(next, gap).height > height) break;
    found = next;
  }
  return found;
}

/** Give the boxes of lines their places, in the middle of the room or from its edge on.
 * @param {Line[]} lines @param {number} gap @param {number} top @param {number} width
 * @param {boolean} ends do boxes stand on the line? */
function place(lines, gap, top, width, ends) {
  let y = top;
  for (const { items, height } of lines) {
    const wide = sum(items.map((one) => one.width)) + gap * (items.length - 1);
    let x = Math.max(0, (width - wide) / 2);
    for (const box of items) {
      box.x = x;
      box.y = y + (ends ? height - box.height : (height - box.height) / 2);
      x += box.width + gap;
    }
    y += height + gap;
  }
}

/** The largest cards with which parts take no more than the room, and the way to lay them: by
 * halves, as smaller cards never take more. The last ones are kept if others are hardly better.
 * @param {Part[]} parts @param {number} width @param {number} height @param {Room} room
 * @param {Fitted | null} last */
function largestFit(parts, width, height, room, last) {
  const gap = GAP * room.rem;
  const most = Math.floor(largest(zonesOf(parts).map((zone) => mostOf(zone, room))));
  const grids = zonesOf(parts).some((zone) => zone.layout === 'grid');
  const least = Math.min((grids ? LEAST_IN_GRID : LEAST) * room.rem, most);
  const high = Math.min(height, Number.MAX_VALUE);
  const isFit = (/** @type {number} */ w, /** @type {Way} */ way) => {
    const taken = extent(flow(boxesOf(parts, w, width, way, room), width, gap), gap);
    return taken.height <= high && taken.width <= width;
  };
  let found = { w: 0, worth: -1, way: /** @type {Way | null} */ (null) };
  const ways = waysOf(parts, width < SLIM * room.rem);
  for (const way of ways) {
    let [w, over] = [Math.max(least, Math.floor(found.worth / way.worth) + 1), most + 1];
    if (w > most || !isFit(w, way)) continue;
    while (over - w > 1) {
      const half = Math.floor((w + over) / 2);
      if (isFit(half, way)) w = half;
      else over = half;
    }
    found = { w, worth: w * way.worth, way };
  }
  const before = JSON.stringify(last?.way);
  const kept = ways.find((way) => JSON.stringify(way) === before);
  if (last && kept && last.w >= least && last.w <= most && isFit(last.w, kept)) {
    const worth = last.w * kept.worth;
    if (found.worth <= worth * KEEP) found = { w: last.w, worth, way: kept };
  }
  return { ...found, least };
}

/** Fit parts into a room. @param {Part[]} parts @param {Room} room
 * @param {Fitted | null} last how they were fitted into the same room before
 * @returns {Fitted} */
export function fit(parts, room, last = null) {
  const { rem } = room;
  const gap = GAP * rem;
  const [dx, dy] = [EDGE.x * rem, EDGE.y * rem];
  const banded = parts.find((part) => part.band);
  const band = banded && bandBox(banded.band ?? [], room.width, room);
  const above = band ? band.height + BAND.gap * rem : 0;
  const rest = parts.filter((part) => part !== banded);
  const bare = band && rest.length === 1 && rest[0].zone; // below a band, one zone needs no name
  const others = bare ? [{ zone: { ...bare, label: '' } }] : rest;
  const width = room.width - 2 * dx;
  const free = room.height - 2 * dy - above;
  const { w, way, least } = largestFit(others, width, free, room, last);
  const ends = zonesOf(others).some((zone) => zone.layout === 'column');
  const scrolls = !way;
  const within = scrolls ? width - SCROLLBAR * rem : width;
  const tight = { ...USUAL, lines: Infinity, bar: true, narrow: width < SLIM * rem, seen: 0.25 };
  const boxes = boxesOf(others, way ? w : least, within, way ?? tight, room);
  const lines = evened(boxes, within, gap);
  const taken = extent(lines, gap);
  const slack = scrolls || free === Infinity ? 0 : (free - taken.height) / 2;
  place(lines, gap, slack + dy + above, within, ends);
  for (const box of boxes) box.x += dx;
  if (band) Object.assign(band, { y: slack, width: within + 2 * dx });
  return {
    boxes: band ? [band, ...boxes] : boxes,
    width: Math.max(taken.width, within) + 2 * dx,
    height: taken.height + above + 2 * dy + 2 * slack,
    scrolls,
    w,
    way,
  };
}
