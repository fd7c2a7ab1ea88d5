// The wheel: drag it round, press it, or press the prompt's button. What it says was settled before
// it turned; it runs out to it, and anything that is pressed meanwhile ends the turning.
import { html, useEffect, useLayoutEffect, useRef, useState } from '../vendor/htm-preact.js';
import { useQuestion } from '../kit/press.js';
import { choiceOf, duration, zoneOf } from './instrument.js';
import { Zone } from '../scene/zone.js';

/** @import { Ink, OnPointer, Ref, Sector, Table, Wheel as Stage } from '../types.js' */

const TURNS = 3;
const TURN = 360;
const EASE = 'cubic-bezier(.12,.68,.08,1)';
/** A drag that returns to within these degrees is no spin. */
const NEAR = 6;

const CENTRE = 150;
const RIM = 134;
const HUB = 50;

/** @param {number} radius @param {number} angle in radians, from the top */
function point(radius, angle) {
  const [x, y] = [CENTRE + radius * Math.sin(angle), CENTRE - radius * Math.cos(angle)];
  return `${x.toFixed(1)} ${y.toFixed(1)}`;
}

/** The outline of a part of the wheel.
 * @param {number} place @param {number} count @param {number} rim */
function outline(place, count, rim) {
  const [from, to] = [(place * 2 * Math.PI) / count, ((place + 1) * 2 * Math.PI) / count];
  return (
    `M${point(HUB, from)}L${point(rim, from)}A${rim} ${rim} 0 0 1 ${point(rim, to)}` +
    `L${point(HUB, to)}A${HUB} ${HUB} 0 0 0 ${point(HUB, from)}Z`
  );
}

/** The colours of a sector. @param {Sector} sector @param {Table} table
 * @returns {Ink | undefined} */
const inkOf = (sector, table) => table.skin.kinds?.[table.faces[sector.face]?.kind];

/** @param {{ sector: Sector, place: number, count: number, said: boolean, table: Table }} props */
function Part({ sector, place, count, said, table }) {
  const ink = inkOf(sector, table);
  const angle = ((place + 0.5) * TURN) / count;
  const at = point(107, (angle * Math.PI) / 180);
  return html`
    <g
      class="sector"
      data-taken=${sector.taken || undefined}
      data-said=${said || undefined}
      style=${{ '--ground': ink?.ground, '--on': ink?.ink }}
    >
      <path d=${outline(place, count, said ? RIM + 7 : RIM)} />
      <text
        transform=${`translate(${at}) rotate(${angle})`}
        font-size=${sector.label.length > 2 ? 23 : 29}
      >
        ${sector.label}
      </text>
    </g>
  `;
}

/** The colour of a sector that can be read on light ground.
 * @param {Partial<Ink> | undefined} ink */
function dark({ ground = '', ink = '' } = {}) {
  const light = (/** @type {string} */ colour) =>
    parseInt(colour.slice(1, 3), 16) + parseInt(colour.slice(3, 5), 16);
  return light(ground) > light(ink) ? ink : ground;
}

/** The points of a hit, step by step. @param {{ stage: Stage }} props */
const Prize = ({ stage }) => html`
  <p class="prize">
    <span>worth</span>
    ${stage.prize.map((points, look) => {
      const gone = look < stage.used;
      return html`
        <i
          key=${look}
          data-gone=${gone || undefined}
          aria-label=${gone ? `${points}, gone` : points}
        >
          ${points}
        </i>
      `;
    })}
  </p>
`;

/** The position of the wheel, in degrees, and whether it turns.
 * @param {Stage} stage @param {{ current: SVGElement }} disc */
function useTurning(stage, disc) {
  const angle = useRef(0);
  /** @type {Ref<Animation>} */ const running = useRef(null);
  const last = useRef(stage.spins);
  const looks = useRef(stage.used);
  const [runs, setRuns] = useState(false);
  const at = stage.at;
  const step = TURN / stage.sectors.length;
  const rest = (/** @type {number} */ to) => {
    angle.current = to;
    if (disc.current) disc.current.style.transform = `rotate(${to}deg)`;
  };
  const now = () => {
    const matrix = new DOMMatrix(getComputedStyle(disc.current).transform);
    return (Math.atan2(matrix.b, matrix.a) * 180) / Math.PI;
  };
  /** @param {Keyframe[]} keyframes @param {KeyframeAnimationOptions} timing
   * @param {() => void} done */
  const run = (keyframes, timing, done) => {
    running.current?.cancel();
    const animation = disc.current.animate(keyframes, timing);
    running.current = animation;
    setRuns(true);
    animation.finished.then(done, () => {});
  };
  const stop = () => {
    running.current?.cancel();
    running.current = null;
    setRuns(false);
  };
  /** Turn freely until the answer is there. */
  const free = () => {
    if (!duration(disc.current, '--spin')) return;
    const from = now();
    const turn = (/** @type {number} */ to) => ({ transform: `rotate(${to}deg)` });
    run([turn(from), turn(from + TURN)], { duration: 1000 / TURNS, iterations: 12 }, stop);
  };
  useEffect(() => {
    const fresh = last.current !== stage.spins;
    last.current = stage.spins;
    const further = looks.current !== stage.used;
    looks.current = stage.used;
    if (at < 0 || (further && !fresh)) stop(); // a card is turned up: the table is past the turning
    if (at < 0) return;
    const target = -(at + 0.5) * step;
    const long = fresh ? duration(disc.current, '--spin') : 0;
    const from = long ? now() : 0;
    rest(target);
    if (!long) {
      stop();
      return;
    }
    const ahead = (((target - from) % TURN) + TURN) % TURN;
    const turn = (/** @type {number} */ to) => ({ transform: `rotate(${to}deg)` });
    const frames = [turn(target - ahead - TURNS * TURN), turn(target)];
    run(frames, { duration: long, easing: EASE }, stop);
  }, [stage.spins, stage.used, at]);
  useLayoutEffect(() => {
    if (!runs) return undefined;
    /** A press that ends the turning does nothing else, because the question could not be read
     * before. */
    const end = (/** @type {Event} */ event) => {
      const target = /** @type {Element} */ (event.target);
      if (at < 0 || target.closest('.side, .top, input, textarea')) return;
      event.preventDefault();
      event.stopPropagation();
      running.current?.finish();
    };
    for (const name of ['pointerdown', 'keydown']) document.addEventListener(name, end, true);
    return () => {
      for (const name of ['pointerdown', 'keydown']) document.removeEventListener(name, end, true);
    };
  }, [runs, at]);
  return { runs, free, rest, angle };
}

/** A hand on the wheel: it follows, and let go it spins. @param {boolean} able
 * @param {ReturnType<typeof useTurning>} turning @param {() => void} spin */
function useHand(able, turning, spin) {
  /** @type {Ref<{ from: number, rest: number, far: number, by: number }>} */
  const hold = useRef(null);
  const angleOf = (/** @type {OnPointer} */ event) => {
    const box = event.currentTarget.getBoundingClientRect();
    const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
    return (Math.atan2(event.clientY - y, event.clientX - x) * 180) / Math.PI;
  };
  const back = () => {
    if (hold.current) turning.rest(hold.current.rest);
    hold.current = null;
  };
  return {
    onPointerDown: (/** @type {OnPointer} */ event) => {
      if (!able || event.button > 0) return;
      event.currentTarget.setPointerCapture(event.pointerId);
      hold.current = { from: angleOf(event), rest: turning.angle.current, far: 0, by: 0 };
    },
    onPointerMove: (/** @type {OnPointer} */ event) => {
      const from = hold.current;
      if (!from) return;
      from.by = ((angleOf(event) - from.from + TURN * 1.5) % TURN) - TURN / 2;
      from.far = Math.max(from.far, Math.abs(from.by));
      turning.rest(from.rest + from.by);
    },
    onPointerUp: () => {
      const from = hold.current;
      if (!from) return;
      hold.current = null;
      if (from.far > NEAR && Math.abs(from.by) <= NEAR) turning.rest(from.rest);
      else spin();
    },
    onPointerCancel: back,
    onKeyDown: (/** @type {KeyboardEvent} */ event) => {
      if (event.key === 'Escape') back();
      if (!able || (event.key !== 'Enter' && event.key !== ' ')) return;
      event.preventDefault();
      event.stopPropagation();
      spin();
    },
  };
}

/** Return the words of the wheel. @param {Stage} stage @param {boolean} runs */
function spoken(stage, runs) {
  const said = stage.sectors[stage.at]?.label;
  if (runs) return 'The wheel turns';
  return said ? `The wheel says ${said}` : 'The wheel stands still';
}

/** @param {{ stage: Stage, table: Table }} props */
export default function Wheel({ stage, table }) {
  /** @type {{ current: SVGElement }} */ const disc = useRef(null);
  const turning = useTurning(stage, disc);
  const choice = choiceOf(table, stage.spin);
  useQuestion(turning.runs ? '' : 'still');
  const spin = () => {
    if (!choice) return;
    turning.free();
    table.pick([choice], '');
  };
  const hand = useHand(Boolean(choice), turning, spin);
  useLayoutEffect(() => {
    const page = /** @type {Element} */ (disc.current.closest('.app'));
    page.toggleAttribute('data-turning', turning.runs);
    return () => page.removeAttribute('data-turning');
  }, [turning.runs]);
  const at = turning.runs ? -1 : stage.at;
  const silent = table.scene.mode === 'over' ? '' : '…';
  const said = stage.sectors[at];
  const ink = said && dark(inkOf(said, table));
  const zones = stage.zones.map((id) => zoneOf(table, id)).filter(Boolean);
  const able = choice
    ? { role: 'button', tabindex: '0', 'aria-label': `${spoken(stage, turning.runs)}. Spin it` }
    : { role: 'img', 'aria-label': spoken(stage, turning.runs) };
  return html`
    <section class="wheeled" role="group" aria-label="The wheel">
      <div class="wheelside">
        <div
          class="wheel"
          data-can=${Boolean(choice) || undefined}
          data-runs=${turning.runs || undefined}
          ...${able}
          ...${hand}
        >
          <svg viewBox="0 0 300 300" aria-hidden="true">
            <circle class="rim" cx="150" cy="150" r="148" />
            <circle class="edge" cx="150" cy="150" r="144" />
            <g class="disc" ref=${disc}>
              ${stage.sectors.map(
                (sector, place) => html`
                  <${Part}
                    key=${place}
                    sector=${sector}
                    place=${place}
                    count=${stage.sectors.length}
                    said=${place === at}
                    table=${table}
                  />
                `,
              )}
            </g>
            <circle class="hub" cx="150" cy="150" r="46" />
            <text class="says" x="150" y="153" style=${{ fill: ink }}>
              ${said?.label ?? silent}
            </text>
          </svg>
          <span class="pointer" aria-hidden="true"></span>
        </div>
        <${Prize} stage=${stage} />
      </div>
      ${zones.map(
        (zone) => html`
          <div class="ground" key=${zone.id}><${Zone} zone=${zone} table=${table} /></div>
        `,
      )}
    </section>
  `;
}
