// A card from data: a face of the game's catalogue, and what the situation lays on top.
import { html } from '../vendor/htm-preact.js';

/** @import { Card as OnTable, Face, Faces, Skin } from '../types.js' */

/** A card with its face, and what can be done with it. `onPick` and `onFocus`: if it can be tapped,
 * `place`: its number in a layout, `silent`: if the room does not answer.
 * @typedef {{ card: OnTable, face?: Face | null, skin: Skin, can?: boolean, chosen?: boolean,
 *   aim?: boolean, hint?: boolean, off?: boolean, fresh?: boolean, stop?: boolean, place?: number,
 *   silent?: boolean, onPick?: (event: Event) => void, onFocus?: (event: Event) => void }} Props */

export const Icon = (/** @type {{ name: string, kind?: string }} */ { name, kind = 'ic' }) => html`
  <svg class=${kind} aria-hidden="true" viewBox="0 0 20 20"><use href=${`#i-${name}`} /></svg>
`;

/** A button that shows an icon alone, with its name for those who cannot see it.
 * @param {{ name: string, label: string, class?: string }} props and those of a button */
export const IconButton = ({ name, label, class: more, ...others }) => html`
  <button class=${more ? `btn icon ${more}` : 'btn icon'} aria-label=${label} ...${others}>
    <${Icon} name=${name} />
  </button>
`;

export const Emblem = (/** @type {{ name: string, kind?: string }} */ { name, kind = '' }) => html`
  <svg class=${kind} aria-hidden="true" viewBox="0 0 48 48"><use href=${`#${name}`} /></svg>
`;

/** Chips for a number of points: at most four, threes first. @param {number} points */
export function chips(points) {
  const found = [];
  for (const value of [3, 2, 1]) {
    while (points >= value && found.length < 4) {
      found.push(value);
      points -= value;
    }
  }
  return found;
}

/** Words at the bottom of a card that its name lacks, such as what a race asks for.
 * @param {OnTable} card @param {Face | null | undefined} face */
function footOf(card, face) {
  const { foot = '', name = '' } = face ?? {};
  return !card.as && /\p{L}{2}/u.test(foot) && !name.includes(foot) ? foot : '';
}

/** Return the name of a card for screen readers.
 * @param {OnTable} card
 * @param {Face | null | undefined} face
 * @param {Pick<Props, 'can' | 'chosen' | 'aim' | 'place' | 'silent'>} state */
export function spoken(card, face, state) {
  const name = !face ? 'face-down card' : face.name;
  return [
    state.place ? `place ${state.place}` : '',
    name + (card.as ? ` standing for ${card.as}` : ''),
    footOf(card, face),
    card.load
      ? `raised to ${card.value} with ${card.load} ${card.load === 1 ? 'point' : 'points'}`
      : '',
    face && card.down ? 'known to you' : '',
    card.mark,
    state.chosen ? 'chosen' : state.can && !state.silent ? 'can be chosen' : '',
    state.aim ? 'aimed at' : '',
  ]
    .filter(Boolean)
    .join(', ');
}

/** The parts that every card has, face up or down: what can be done with it, and its name.
 * @param {Props} props */
function common(props) {
  const { card, face, can, chosen, aim, hint, off, fresh, onPick, onFocus, stop } = props;
  const state = {
    'data-id': card.id,
    translate: false,
    'data-can': can || undefined,
    'data-sel': chosen || undefined,
    'data-aim': aim || hint || undefined,
    'data-off': off || undefined,
    'data-new': fresh || undefined,
    'data-veil': (face && card.down) || undefined,
    'aria-label': spoken(card, face, props),
  };
  if (!onPick) return { ...state, role: 'img' };
  return {
    ...state,
    'aria-pressed': chosen ? 'true' : undefined,
    'aria-disabled': can ? undefined : 'true',
    tabIndex: stop ? 0 : -1,
    onClick: onPick,
    onFocus,
    type: 'button',
  };
}

/** The colours of a face, from the game's tones. @param {Face} face @param {Skin} skin */
function tones(face, skin) {
  const tone = face.tone;
  if (tone < 0) return undefined;
  const dark = skin.tones[tone];
  return { '--lo': dark, '--hi': skin.light_tones[tone] ?? dark, '--tone': dark };
}

/** The print at both ends of a card that can be turned.
 * @param {OnTable} card @param {Face} face */
function endsOf(card, face) {
  if (!face.ends.length) return null;
  return card.turned ? [...face.ends].reverse() : face.ends;
}

/** Return the attributes by which stylesheets select a face.
 * @param {OnTable} card @param {Face} face @param {Skin} skin */
const looks = (card, face, skin) => ({
  'data-skin': skin.name,
  'data-kind': face.kind,
  'data-len': face.ends.length ? undefined : String(face.big).length || undefined,
  'data-tag': face.tag || undefined,
  'data-as': card.as || undefined,
  'data-raised': Boolean(card.load) || undefined,
  'data-long': String(card.value ?? '').length > 2 || undefined,
  style: tones(face, skin),
});

// Cards are many: their parts are functions that are called, not components.

/** The words that the situation writes on a card. @param {{ card: OnTable }} props */
const mark = ({ card }) =>
  card.mark &&
  html`
    <span class="mark">${card.mark}</span>
  `;

/** @param {{ card: OnTable, skin: Skin }} props */
const back = ({ card, skin }) => html`
  <span class="g"></span>
  ${
    skin.back_art
      ? html`
          <${Emblem} name=${skin.back_art} kind="art" />
        `
      : html`
          <b class="big">${skin.back_sign}</b>
        `
  }
  ${mark({ card })}
`;

/** A face that reads from both ends. @param {{ face: Face, ends: string[] }} props */
const bothEnds = ({ face, ends }) => html`
  <span class="tl"><b>${ends[0]}</b></span>
  <span class="br"><b>${ends[1]}</b></span>
  <${Emblem} name=${face.art} kind="art" />
  <${Emblem} name=${face.art} kind="art" />
`;

/** A corner, a drawing, a large sign. @param {{ face: Face }} props */
function signs({ face }) {
  const big = face.big;
  const corner =
    face.corner_art &&
    html`
      <${Emblem} name=${face.corner_art} />
    `;
  return html`
    ${
      (face.corner || face.corner_art) &&
      html`
        <span class="tl">
          <b>${face.corner}</b>
          ${corner}
        </span>
      `
    }
    ${
      face.art &&
      html`
        <${Emblem} name=${face.art} kind="art" />
      `
    }
    ${
      big !== '' &&
      html`
        <b class="big">${big}</b>
      `
    }
  `;
}

/** The points on a card that is worth more than is printed.
 * @param {{ card: OnTable }} props */
function raise({ card }) {
  const { load } = card;
  const points = load > 11 ? [load] : chips(load);
  return html`
    <span class="raise"><b>${card.value}</b></span>
    <span class="load">
      ${points.map(
        (value) => html`
          <span class="chip" data-v=${value}><b>${value}</b></span>
        `,
      )}
    </span>
  `;
}

/** @param {{ card: OnTable, face: Face }} props */
function front({ card, face }) {
  const ends = endsOf(card, face);
  const pips = Array.from(
    { length: face.pips },
    () => html`
      <i></i>
    `,
  );
  return html`
    <span class="g"></span>
    ${
      face.shape &&
      html`
        <span class="shape"></span>
      `
    }
    ${
      face.ring &&
      html`
        <span class="ring"></span>
      `
    }
    ${ends ? bothEnds({ face, ends }) : signs({ face })}
    ${
      face.step &&
      html`
        <span class="step">${face.step}</span>
      `
    }
    ${
      face.title &&
      face.kind !== 'chi' &&
      html`
        <b class="title">${face.title}</b>
      `
    }
    ${
      face.printed &&
      html`
        <span class="text">${face.text}</span>
      `
    }
    ${
      face.pips
        ? html`
            <span class="pips">${pips}</span>
          `
        : ''
    }
    ${
      face.foot &&
      !card.as &&
      html`
        <span class="foot">${face.foot}</span>
      `
    }
    ${
      card.as &&
      html`
        <span class="as"><b>${card.as}</b></span>
      `
    }
    ${card.load ? raise({ card }) : ''} ${mark({ card })}
  `;
}

/** An empty place in a layout. @param {{ card: OnTable, place?: number }} props */
const Gap = ({ card, place }) => html`
  <span class="gap" role="img" aria-label=${place ? `empty place ${place}` : 'empty place'}>
    ${
      card.mark &&
      html`
        <span>${card.mark}</span>
      `
    }
  </span>
`;

/** @param {Props} props */
export function Card(props) {
  const { card, face, skin, place, onPick } = props;
  if (!face && card.back === 'gap') {
    return html`
      <${Gap} card=${card} place=${place} />
    `;
  }
  const look = face ? looks(card, face, skin) : { 'data-back': card.back || skin.name };
  const all = { class: 'card', ...look, ...common(props) };
  const inside = face ? front({ card, face }) : back({ card, skin });
  return onPick
    ? html`
        <button ...${all}>${inside}</button>
      `
    : html`
        <span ...${all}>${inside}</span>
      `;
}

/** Cards by their faces, drawn small beside words that tell of them; `name` begins their ids.
 * @param {{ faces: string[], name: string, table: { faces: Faces, skin: Skin } }} props */
export const Minis = ({ faces, name, table }) => html`
  <span class="minis" aria-hidden="true">
    ${faces.map(
      (face, number) => html`
        <${Card}
          card=${{ id: `${name}.${number}`, face }}
          face=${table.faces[face]}
          skin=${table.skin}
        />
      `,
    )}
  </span>
`;
