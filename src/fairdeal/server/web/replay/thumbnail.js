// The table at a moment of a finished game, drawn small: a picture, behind which lies the replay.
import { html } from '../vendor/htm-preact.js';
import { Icon } from '../kit/card.js';
import { Field, Rivals, cloth, frame } from '../scene/field.js';
import { still } from '../scene/moment.js';
import { goTo } from '../kit/page.js';

/** @import { Facts, Go, Look, Scene } from '../types.js' */

/** @param {{ scene: Scene, look: Look, facts: Facts, to: string, go: Go }} props to: where the
 * replay is */
export function Thumbnail({ scene, look, facts, to, go }) {
  const { faces, skin } = look;
  const table = { ...still(scene), ...{ faces, skin, facts, log: [], chat: [] } };
  return html`
    <div class="thumbnail">
      <div
        class="app"
        aria-hidden="true"
        inert
        data-skin=${skin.name}
        ...${frame(scene)}
        style=${cloth(skin)}
      >
        <div class="table">
          <${Rivals} viewer=${scene.viewer} table=${table} />
          <${Field} table=${table} />
        </div>
      </div>
      <a href=${to} onClick=${goTo(to, go)}>
        <span class="pill">
          <${Icon} name="play" />
          Replay from here
        </span>
      </a>
    </div>
  `;
}
