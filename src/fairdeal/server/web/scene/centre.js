// The middle of the table: zones, frames that hold the zones that name them, and a headline are
// fitted into it, or an instrument stands for the zones it names and the rest stands beside.
import {
  html,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from '../vendor/htm-preact.js';
import { loaded } from '../faults/again.js';
import { here } from '../kit/api.js';
import { Icon } from '../kit/card.js';
import { TRAVEL } from '../kit/flip.js';
import { sheet } from '../kit/lazy.js';
import { isBanded, saysHeadline, useResized } from '../stage/instrument.js';
import { cellsOf, fit } from './fit.js';
import { isLent } from './seat.js';
import { Zone } from './zone.js';

/** @import { Headline as Head, Panel, Scene, Stage as OnStage, Table,
 *   Ref, Zone as OnScene } from '../types.js'
 * @import { Box, Fitted, Part, Room } from './fit.js' */

/** @param {{ headline: Head, featured: OnScene[], table: Table }} props */
const Headline = ({ headline, featured, table }) => html`
  <section
    class="headline"
    data-featured=${featured.length > 0 || undefined}
    aria-label=${`${headline.tag}: ${headline.big}. ${headline.text}`}
  >
    <span class="tag">${headline.tag}</span>
    <b data-long=${headline.big.length > 3 || undefined}>${headline.big}</b>
    ${each(featured, table)}
    <span>${headline.text}</span>
  </section>
`;

/** Return the cards that the middle shows large: the plays of all seats that matter now.
 * @param {Scene} scene */
const featuredOf = (scene) =>
  scene.zones.filter((zone) => zone.place !== 'centre' && isLent(zone, scene));

/** Zones one by one. @param {OnScene[]} zones @param {Table} table */
const each = (zones, table) =>
  zones.map(
    (zone) => html`
      <${Zone} key=${zone.id} zone=${zone} table=${table} />
    `,
  );

/** Zones in rows and columns under their heads; zones of one row and column stand together.
 * @param {{ panel: Panel, zones: OnScene[], table: Table }} props */
function Frame({ panel, zones, table }) {
  const { cells, free, lanes } = cellsOf(panel, zones);
  return html`
    <section
      class="frame"
      data-panel=${panel.id}
      data-lanes=${lanes || undefined}
      data-heed=${zones.some((zone) => zone.heed) || undefined}
      aria-label=${panel.title}
    >
      <header>
        <b>
          ${
            panel.icon &&
            html`
              <${Icon} name=${panel.icon} />
            `
          }${panel.title}
        </b>
        ${
          panel.text &&
          html`
            <span>${panel.text}</span>
          `
        }
      </header>
      ${
        free.length > 0 &&
        html`
          <div class="lay free">${each(free, table)}</div>
        `
      }
      ${cells.map(({ row, column, zones: some }) => {
        const head = [row, column].filter(Boolean).join(', ');
        return html`
          <div class="cell" key=${`${row} ${column}`} role="group" aria-label=${head || undefined}>
            ${
              head &&
              html`
                <h3>${head}</h3>
              `
            }
            <div class="lay">${each(some, table)}</div>
          </div>
        `;
      })}
    </section>
  `;
}

/** Draws what a scene has on its stage. What an instrument is given is a scene's stage of its kind.
 * @typedef {(props: { stage: never, table: Table }) => unknown} Instrument
 * @typedef {OnStage['kind']} Kind */

/** Instruments are fetched when the first scene wants one, so that other games do not pay for them.
 * @type {Record<Kind, () => Promise<{ default: Instrument }>>} */
const FETCH = {
  fan: () => import('../stage/fan.js'),
  wheel: () => import('../stage/wheel.js'),
  reels: () => import('../stage/reels.js'),
  trick: () => import('../stage/trick.js'),
  fight: () => import('../stage/fight.js'),
  attack: () => import('../stage/attack.js'),
  race: () => import('../stage/race.js'),
};

/** @type {Map<Kind, Instrument>} */
const fetched = new Map();

/** Fetch an instrument, if it is not there. @param {Kind} kind */
async function fetchKind(kind) {
  if (fetched.has(kind)) return;
  const [module] = await Promise.all([loaded(FETCH[kind]), sheet(here('stage/stage.css'))]);
  fetched.set(kind, module.default);
}

/** The stage: the instrument that a scene asks for.
 * @param {{ table: Table & { scene: { stage: OnStage } } }} props */
function Stage({ table }) {
  const { stage } = table.scene;
  const [, arrived] = useState('');
  useEffect(() => {
    fetchKind(stage.kind).then(
      () => arrived(stage.kind),
      () => 0,
    );
  }, [stage.kind]);
  const Instrument = fetched.get(stage.kind);
  return html`
    <div class="stage" data-kind=${stage.kind}>
      ${
        Instrument &&
        html`
          <${Instrument} key=${stage.kind} stage=${stage} table=${table} />
        `
      }
    </div>
  `;
}

/** A band over the stage, with its zones or the instrument that stands for them; it is at hand when
 * it is wanted. @param {{ zones: OnScene[], table: Table }} props */
function Band({ zones, table }) {
  useEffect(() => {
    fetchKind('attack').catch(() => 0);
  }, []);
  return html`
    <div class="band">
      ${
        isBanded(table.scene)
          ? html`
              <${Stage} table=${table} />
            `
          : each(zones, table)
      }
    </div>
  `;
}

/** The parts of the middle: a band, the headline, which stands behind layouts of places, frames
 * with the zones that name them, and all other zones.
 * @param {OnScene[]} zones @param {Head | null | undefined} headline @param {Scene} scene
 * @returns {Part[]} */
function partsOf(zones, headline, scene) {
  const frames = scene.panels
    .map((frame) => ({ frame, zones: zones.filter((zone) => zone.panel === frame.id) }))
    .filter((one) => one.zones.length);
  const framed = new Set(frames.flatMap((one) => one.zones));
  const free = zones.filter((zone) => !framed.has(zone));
  const band = free.filter((zone) => zone.cell === 'band');
  const lying = free.filter((zone) => !band.includes(zone)).map((zone) => ({ zone }));
  const head = headline ? [{ headline, featured: featuredOf(scene).length }] : [];
  const behind = lying.some(({ zone }) => zone.layout === 'grid');
  return [
    ...(band.length || isBanded(scene) ? [{ band }] : []),
    ...(behind ? [] : head),
    ...frames,
    ...lying,
    ...(behind ? head : []),
  ];
}

/** The room there is. A middle that is as high as its contents has no end.
 * @param {HTMLElement} node @returns {Room} */
function roomOf(node) {
  const style = getComputedStyle(node);
  const rem = parseFloat(getComputedStyle(document.documentElement).fontSize);
  const most = (/** @type {string} */ size) => {
    const width = style.getPropertyValue(`--w-${size}`);
    return parseFloat(width) * (width.endsWith('rem') ? rem : 1);
  };
  return {
    width: node.clientWidth,
    height: style.containerType === 'size' ? node.clientHeight : Infinity,
    rem,
    most: { table: most('table'), small: most('small'), mini: most('mini'), hand: most('hand') },
  };
}

const px = (/** @type {number} */ number) => `${number.toFixed(2)}px`;

/** The styles written into elements. @type {WeakMap<Element, string>} */
const written = new WeakMap();

/** The style of an element in its box. @param {Box} box @param {boolean} inner */
function styleOf({ x, y, width, height, w, line, step, strip, columns }, inner) {
  const at = inner ? '' : `left: ${px(x)}; top: ${px(y)};`;
  const lies = `--line: ${px(line)}; --step: ${px(step)}; --strip: ${px(strip)}; --c: ${columns};`;
  const look = `${at} width: ${px(width)}; height: ${px(height)}; ${lies}`;
  return w ? `${look} --w: ${px(w)};` : look;
}

/** Give an element its box, and the zones in it theirs, where that changes something.
 * @param {HTMLElement} element @param {Box | undefined} box */
function put(element, box, inner = false) {
  const style = box ? styleOf(box, inner) : '';
  if (style !== (written.get(element) ?? '')) {
    written.set(element, style);
    element.style.cssText = style;
  }
  if (!box) return;
  element.toggleAttribute('data-bar', box.bar);
  if (!box.inside.length) return;
  const zones = /** @type {NodeListOf<HTMLElement>} */ (element.querySelectorAll('.zone'));
  box.inside.forEach((one, number) => zones[number] && put(zones[number], one, true));
}

/** Fit parts into the element that holds them, one child for each, before anything is drawn. Its
 * size is read again only after it has changed. @param {Part[]} parts */
function useFit(parts) {
  /** @type {Ref} */ const root = useRef(null);
  const room = useRef(/** @type {Room | null} */ (null));
  const fitted = useMemo(() => ({ by: '', found: /** @type {Fitted | null} */ (null) }), []);
  const lay = () => {
    const node = root.current;
    if (!node) return;
    room.current ??= roomOf(node);
    const by = JSON.stringify([room.current, parts]);
    if (by !== fitted.by) {
      const alone = parts.every((part) => part.headline);
      const found = alone ? null : fit(parts, room.current, fitted.found);
      Object.assign(fitted, { by, found });
    }
    const { found } = fitted;
    const children = /** @type {HTMLElement[]} */ ([...node.children]);
    children.forEach((child, number) => put(child, found?.boxes[number]));
    node.toggleAttribute('data-fits', Boolean(found));
    node.toggleAttribute('data-scrolls', Boolean(found?.scrolls));
    node.style.setProperty('--high', px(found?.height ?? 0));
  };
  useLayoutEffect(lay);
  useResized(root, () => {
    room.current = null;
    Object.assign(fitted, { by: '', found: null });
    lay();
  });
  return root;
}

/** @param {{ parts: Part[], table: Table }} props */
const Parts = ({ parts, table }) =>
  parts.map(({ band, frame, headline, zone, zones }) => {
    if (band) {
      return html`
        <${Band} key="band" zones=${band} table=${table} />
      `;
    }
    if (frame) {
      return html`
        <${Frame} key=${`frame ${frame.id}`} panel=${frame} zones=${zones} table=${table} />
      `;
    }
    const featured = featuredOf(table.scene);
    return headline
      ? html`
          <${Headline} key="headline" headline=${headline} featured=${featured} table=${table} />
        `
      : html`
          <${Zone} key=${zone?.id} zone=${zone} table=${table} />
        `;
  });

/** @param {{ zones: OnScene[], headline?: Head | null, table: Table }} props */
function Middle({ zones, headline, table }) {
  const parts = partsOf(zones, headline, table.scene);
  return html`
    <div class="middle" ref=${useFit(parts)}><${Parts} parts=${parts} table=${table} /></div>
  `;
}

/** Zones that are fitted into a place of their own.
 * @param {{ place: 'beside' | 'theirs' | 'mine', zones: OnScene[], table: Table }} props */
export function FittedZones({ place, zones, table }) {
  const parts = zones.map((zone) => ({ zone }));
  return html`
    <div id=${place} class=${place} ref=${useFit(parts)}>
      <${Parts} parts=${parts} table=${table} />
    </div>
  `;
}

/** The instrument in the middle, and beside it what it does not stand for.
 * @param {{ zones: OnScene[], table: Table }} props */
const Staged = ({ zones, table }) => html`
  <div class="middle">
    <${Stage} table=${table} />
    ${
      zones.length > 0 &&
      html`
        <${FittedZones} place="beside" zones=${zones} table=${table} />
      `
    }
  </div>
`;

/** The instrument for which the centre makes room: the last value where there is none, as between
 * rounds and in a playoff, so that what lies beside it stays where it is.
 * @template {string | boolean} T @param {T | undefined} wanted */
function useRoom(wanted) {
  const kept = useRef(wanted);
  if (wanted) kept.current = wanted;
  return kept.current || undefined;
}

/** The distance by which marks and numbers stand out, in pixels. */
const MARK = 16;
/** The sizes of cards that are tried beside the middle, as shares of their usual one. */
const SCALES = [1, 0.85, 0.7, 0.6];

/** Let the cards of a side shrink if they are too many, and then scroll. Cards on their way there
 * would count as too much, so this waits for them. @param {HTMLElement} side */
function shrink(side) {
  const last = side.getAnimations({ subtree: true }).find((one) => one.id === TRAVEL);
  if (last) {
    const again = () => shrink(side);
    last.finished.then(again, again);
    return;
  }
  const isOver = () => {
    const over = [side.scrollWidth - side.clientWidth, side.scrollHeight - side.clientHeight];
    return Math.max(...over) > MARK;
  };
  if (!side.style.cssText && !isOver()) return;
  const { scrollLeft, scrollTop } = side;
  side.toggleAttribute('data-scrolls', false);
  const isTooLarge = (/** @type {number} */ scale) => {
    side.style.cssText = scale < 1 ? `--scale: ${scale}` : '';
    return isOver();
  };
  const scrolls = SCALES.every(isTooLarge);
  side.toggleAttribute('data-scrolls', scrolls);
  if (scrolls) side.setAttribute('tabindex', '0');
  else side.removeAttribute('tabindex');
  side.scrollTo(scrollLeft, scrollTop);
}

/** The column beside the middle. @param {{ cell: 'left' | 'right', children?: unknown }} props */
function Side({ cell, children }) {
  /** @type {Ref} */ const root = useRef(null);
  useResized(root, () => root.current && shrink(root.current));
  return html`
    <div class=${cell} ref=${root}>${children}</div>
  `;
}

/** @param {{ zones: OnScene[], headline?: Head | null, table: Table }} props */
export function Centre({ zones, headline, table }) {
  const staged = Boolean(table.scene.stage) && !isBanded(table.scene);
  const frame = useRoom(staged && table.scene.stage?.kind);
  const Cell = staged ? Staged : Middle;
  const at = (/** @type {string} */ cell) => zones.filter((zone) => zone.cell === cell);
  const [left, right] = [at('left'), at('right')];
  const aside = staged && headline && !saysHeadline(table.scene);
  const beside = useRoom(left.length > 0 || right.length > 0 || Boolean(aside));
  /** @type {Ref} */ const root = useRef(null);
  useLayoutEffect(() => {
    for (const side of root.current?.querySelectorAll(':scope > :is(.left, .right)') ?? []) {
      shrink(/** @type {HTMLElement} */ (side));
    }
  });
  return html`
    <div class="centre" ref=${root} data-alone=${!beside || undefined} data-staged=${frame}>
      ${
        left.length > 0 &&
        html`
          <${Side} cell="left">${each(left, table)}<//>
        `
      }
      <${Cell}
        zones=${zones.filter((zone) => !['left', 'right'].includes(zone.cell))}
        headline=${headline}
        table=${table}
      />
      ${
        (right.length > 0 || aside) &&
        html`
          <${Side} cell="right">
            ${each(right, table)}
            ${
              aside &&
              html`
                <${Headline} headline=${headline} featured=${[]} table=${table} />
              `
            }
          <//>
        `
      }
    </div>
  `;
}
