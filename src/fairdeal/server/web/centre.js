// The middle of the table: layouts of places take the room there is, frames hold the zones that
// name them, the rest stands beside.
import { html } from './vendor/htm-preact.js';
import { Icon } from './card.js';
import { Stage, isStaged, saysHeadline } from './stage.js';
import { Zone } from './zone.js';

const Headline = ({ headline }) => html`
  <section
    class="headline"
    aria-label=${`${headline.tag}: ${headline.big}. ${headline.text ?? ''}`}
  >
    <span class="tag">${headline.tag}</span>
    <b data-long=${headline.big.length > 3 || undefined}>${headline.big}</b>
    <span>${headline.text}</span>
  </section>
`;

/** Rows without columns are lanes: each with its name at the left, in two columns if there are
 * many. */
const MOST_LANES = 3;

/** Zones in rows and columns under their heads; zones of one row and column stand together.
 * @param {any} props */
function Frame({ panel, zones, table }) {
  const columns = panel.cols?.length ? panel.cols : [''];
  const rows = panel.rows?.length ? panel.rows : [''];
  const cell = (row, column) =>
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
          ${panel.icon &&
          html`
            <${Icon} name=${panel.icon} />
          `}${panel.title}
        </b>
        ${panel.text &&
        html`
          <span>${panel.text}</span>
        `}
      </header>
      ${free.length > 0 &&
      html`
        <div class="free">
          ${free.map(
            (zone) => html`
              <${Zone} key=${zone.id} zone=${zone} table=${table} />
            `,
          )}
        </div>
      `}
      ${rows.flatMap((row) =>
        columns.map(
          (column) => html`
            <div
              class="cell"
              key=${`${row} ${column}`}
              role="group"
              aria-label=${[row, column].filter(Boolean).join(', ') || undefined}
            >
              ${(row || column) &&
              html`
                <h3>${[row, column].filter(Boolean).join(', ')}</h3>
              `}
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

/** The instrument in the middle, and beside it what it does not stand for. @param {any} props */
function Staged({ zones, headline, table }) {
  return html`
    <div class="centre" data-staged=${table.scene.stage.kind}>
      <${Stage} table=${table} />
      <div class="beside">
        ${zones.map(
          (zone) => html`
            <${Zone} key=${zone.id} zone=${zone} table=${table} />
          `,
        )}
        ${headline &&
        !saysHeadline(table.scene) &&
        html`
          <${Headline} headline=${headline} />
        `}
      </div>
    </div>
  `;
}

/** @param {any} props */
export const Centre = (props) =>
  isStaged(props.table.scene)
    ? html`
        <${Staged} ...${props} />
      `
    : html`
        <${Laid} ...${props} />
      `;

/** Zones as they lie. @param {any} props */
function Laid({ zones, headline, table }) {
  const panels = (table.scene.panels ?? [])
    .map((panel) => ({ panel, zones: zones.filter((zone) => zone.panel === panel.id) }))
    .filter((one) => one.zones.length);
  const framed = new Set(panels.flatMap((one) => one.zones));
  const grids = zones.filter((zone) => zone.layout === 'grid' && !framed.has(zone));
  const columns = zones.filter((zone) => zone.layout === 'column');
  const drawn = zones
    .filter((zone) => !framed.has(zone) && !grids.includes(zone))
    .map(
      (zone) => html`
        <${Zone} key=${zone.id} zone=${zone} table=${table} />
      `,
    );
  if (panels.length) {
    drawn.unshift(html`
      <div class="frames" key="frames" data-count=${panels.length}>
        ${panels.map(
          (one) => html`
            <${Frame} key=${one.panel.id} ...${one} table=${table} />
          `,
        )}
      </div>
    `);
  }
  if (headline) {
    drawn.splice(
      panels.length ? 0 : Math.ceil(drawn.length / 2),
      0,
      html`
        <${Headline} key="headline" headline=${headline} />
      `,
    );
  }
  const shape = columns.length
    ? {
        '--most': Math.max(1, ...columns.map((zone) => zone.cards?.length ?? 0)),
        '--columns': columns.length,
      }
    : undefined;
  if (!grids.length) {
    return html`
      <div
        class="centre"
        data-columns=${columns.length || undefined}
        data-framed=${panels.length || undefined}
        style=${shape}
      >
        ${drawn}
      </div>
    `;
  }
  return html`
    <div class="centre" data-grid="true">
      <div class="ground">
        ${grids.map(
          (zone) => html`
            <${Zone} key=${zone.id} zone=${zone} table=${table} />
          `,
        )}
      </div>
      ${drawn.length > 0 &&
      html`
        <div class="beside">${drawn}</div>
      `}
    </div>
  `;
}
