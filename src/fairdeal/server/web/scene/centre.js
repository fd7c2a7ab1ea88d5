// The middle of the table: layouts of places take the room there is, frames hold the zones that
// name them, an instrument stands for the zones it names, the rest stands beside.
import { html, useEffect, useRef, useState } from '../vendor/htm-preact.js';
import { here, sheet } from '../kit/api.js';
import { Icon } from '../kit/card.js';
import { isBanded, isStaged, saysHeadline } from '../stage/instrument.js';
import { isLent } from './seat.js';
import { Zone } from './zone.js';

/** @import { Headline as Head, Panel, Scene, Stage as OnStage, Table,
 *   Zone as OnScene } from '../types.js' */

/** @param {{ headline: Head, lent: OnScene[], table: Table }} props */
const Headline = ({ headline, lent, table }) => html`
  <section
    class="headline"
    data-lent=${lent.length > 0 || undefined}
    aria-label=${`${headline.tag}: ${headline.big}. ${headline.text ?? ''}`}
  >
    <span class="tag">${headline.tag}</span>
    <b data-long=${headline.big.length > 3 || undefined}>${headline.big}</b>
    ${each(lent, table)}
    <span>${headline.text}</span>
  </section>
`;

/** Rows without columns are lanes: each with its name at the left, in two columns if there are
 * many. */
const MOST_LANES = 3;

/** Zones in rows and columns under their heads; zones of one row and column stand together.
 * @param {{ panel: Panel, zones: OnScene[], table: Table }} props */
function Frame({ panel, zones, table }) {
  const columns = panel.cols?.length ? panel.cols : [''];
  const rows = panel.rows?.length ? panel.rows : [''];
  const cell = (/** @type {string} */ row, /** @type {string} */ column) =>
    zones.filter((zone) => (zone.row ?? '') === row && (zone.col ?? '') === column);
  const lanes = panel.rows?.length && !panel.cols?.length;
  const free = lanes ? cell('', '') : [];
  const across = lanes ? Math.ceil(rows.length / MOST_LANES) : columns.length;
  return html`
    <section
      class="frame"
      data-panel=${panel.id}
      data-lanes=${lanes ? rows.length : undefined}
      data-heed=${zones.some((zone) => zone.heed) || undefined}
      aria-label=${panel.title}
      style=${{ '--frame-cols': across }}
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
          <div class="free">
            ${free.map(
              (zone) => html`
                <${Zone} key=${zone.id} zone=${zone} table=${table} />
              `,
            )}
          </div>
        `
      }
      ${rows.flatMap((row) =>
        columns.map(
          (column) => html`
            <div
              class="cell"
              key=${`${row} ${column}`}
              role="group"
              aria-label=${[row, column].filter(Boolean).join(', ') || undefined}
            >
              ${
                (row || column) &&
                html`
                  <h3>${[row, column].filter(Boolean).join(', ')}</h3>
                `
              }
              <div class="lay">
                ${cell(row, column).map(
                  (zone) => html`
                    <${Zone} key=${zone.id} zone=${zone} table=${table} />
                  `,
                )}
              </div>
            </div>
          `,
        ),
      )}
    </section>
  `;
}

/** What is lent to the middle: the plays of all seats that matter now. @param {Scene} scene */
const lentOf = (scene) =>
  (scene.zones ?? []).filter((zone) => zone.place !== 'centre' && isLent(zone, scene));

/** Zones one by one. @param {OnScene[]} zones @param {Table} table */
const each = (zones, table) =>
  zones.map(
    (zone) => html`
      <${Zone} key=${zone.id} zone=${zone} table=${table} />
    `,
  );

/** Draws what a scene has on its stage. What an instrument is given is a scene's stage of its kind.
 * @typedef {(props: { stage: never, table: Table }) => unknown} Instrument
 * @typedef {OnStage['kind']} Kind */

/** @param {[{ default: Instrument }, void]} all */
const first = ([one]) => one;

/** Instruments are fetched when the first scene wants one, so that other games do not pay for them.
 * @type {Record<Kind, () => Promise<{ default: Instrument }>>} */
const FETCH = {
  fan: () => import('../stage/fan.js'),
  wheel: () => import('../stage/wheel.js'),
  reels: () => import('../stage/reels.js'),
  trick: () => import('../stage/trick.js'),
  fight: () => import('../stage/fight.js'),
  attack: () =>
    Promise.all([import('../stage/attack.js'), sheet(here('stage/attack.css'))]).then(first),
  race: () => import('../stage/race.js'),
};

/** @type {Map<Kind, Instrument>} */
const fetched = new Map();

/** Fetch an instrument, if it is not there. @param {Kind} kind */
async function fetchKind(kind) {
  if (fetched.has(kind)) return;
  const [module] = await Promise.all([FETCH[kind](), sheet(here('stage/stage.css'))]);
  fetched.set(kind, module.default);
}

/** The stage: the instrument that a scene asks for.
 * @param {{ table: Table & { scene: { stage: OnStage } } }} props */
function Stage({ table }) {
  const { stage } = table.scene;
  const [, arrived] = useState('');
  useEffect(() => {
    fetchKind(stage.kind).then(() => arrived(stage.kind));
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

/** What lies in the middle cell: bands, frames, layouts of places and what stands beside them.
 * @param {{ zones: OnScene[], headline?: Head | null, table: Table }} props */
function Middle({ zones, headline, table }) {
  const panels = (table.scene.panels ?? [])
    .map((panel) => ({ panel, zones: zones.filter((zone) => zone.panel === panel.id) }))
    .filter((one) => one.zones.length);
  const framed = new Set(panels.flatMap((one) => one.zones));
  const free = zones.filter((zone) => !framed.has(zone));
  const grids = free.filter((zone) => zone.layout === 'grid');
  const bands = free.filter((zone) => zone.cell === 'band');
  const columns = zones.filter((zone) => zone.layout === 'column');
  const head =
    headline &&
    html`
      <${Headline} key="headline" headline=${headline} lent=${lentOf(table.scene)} table=${table} />
    `;
  const drawn = each(
    free.filter((zone) => !grids.includes(zone) && !bands.includes(zone)),
    table,
  );
  const frames =
    panels.length > 0 &&
    html`
      <div class="frames" key="frames" data-count=${panels.length}>
        ${panels.map(
          (one) => html`
            <${Frame} key=${one.panel.id} ...${one} table=${table} />
          `,
        )}
      </div>
    `;
  const shape = {
    '--most': Math.max(1, ...columns.map((zone) => zone.cards?.length ?? 0)),
    '--columns': columns.length || 1,
  };
  return html`
    <div
      class="middle"
      data-columns=${columns.length || undefined}
      data-framed=${panels.length || undefined}
      style=${shape}
    >
      ${
        (bands.length > 0 || isBanded(table.scene)) &&
        html`
          <${Band} zones=${bands} table=${table} />
        `
      }
      ${
        grids.length > 0
          ? html`
              <div class="ground">${each(grids, table)}</div>
              ${
                (head || drawn.length > 0) &&
                html`
                  <div class="beside">${head} ${drawn}</div>
                `
              }
            `
          : html`
              ${head} ${frames} ${drawn}
            `
      }
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
        <div class="beside">${each(zones, table)}</div>
      `
    }
  </div>
`;

/** The instrument that the middle makes room for: the last one where there is none, as between
 * rounds, so that what lies beside it stays where it is.
 * @param {string | false | undefined} kind */
function useFrame(kind) {
  const kept = useRef(kind);
  if (kind) kept.current = kind;
  return kept.current || undefined;
}

/** @param {{ zones: OnScene[], headline?: Head | null, table: Table }} props */
export function Centre({ zones, headline, table }) {
  const staged = isStaged(table.scene) && !isBanded(table.scene);
  const frame = useFrame(staged && table.scene.stage?.kind);
  const Cell = staged ? Staged : Middle;
  const at = (/** @type {string} */ cell) => zones.filter((zone) => zone.cell === cell);
  const [left, right] = [at('left'), at('right')];
  const aside = staged && headline && !saysHeadline(table.scene);
  return html`
    <div
      class="centre"
      data-alone=${(!left.length && !right.length && !aside) || undefined}
      data-staged=${frame}
    >
      ${
        left.length > 0 &&
        html`
          <div class="left">${each(left, table)}</div>
        `
      }
      <${Cell}
        zones=${zones.filter((zone) => !['left', 'right'].includes(zone.cell ?? ''))}
        headline=${headline}
        table=${table}
      />
      ${
        (right.length > 0 || aside) &&
        html`
          <div class="right">
            ${each(right, table)}
            ${
              aside &&
              html`
                <${Headline} headline=${headline} lent=${[]} table=${table} />
              `
            }
          </div>
        `
      }
    </div>
  `;
}
