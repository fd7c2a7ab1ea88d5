// A card from data: a face of the game's catalogue, and what the situation lays on top.
import { html } from './vendor/htm-preact.js';

export const Icon = (/** @type {{ name: string, kind?: string }} */ { name, kind = 'ic' }) => html`
  <svg class=${kind} aria-hidden="true" viewBox="0 0 20 20"><use href=${`#i-${name}`} /></svg>
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

/** How a card is named to those who hear it. */
export function spoken(card, face, state) {
  const name = !face ? 'face-down card' : face.name;
  return [
    state.place ? `place ${state.place}` : '',
    name + (card.as ? ` standing for ${card.as}` : ''),
    card.load
      ? `raised to ${card.value} with ${card.load} ${card.load === 1 ? 'point' : 'points'}`
      : '',
    face && card.down ? 'known to you' : '',
    card.mark ?? '',
    state.chosen ? 'chosen' : state.can ? 'can be chosen' : '',
    state.aim ? 'aimed at' : '',
  ]
    .filter(Boolean)
    .join(', ');
}

/** @param {any} props card, face, skin, can, chosen, aim, off, fresh, onPick, stop, place: its
 * number in a layout */
export function Card({
  card,
  face,
  skin,
  can,
  chosen,
  aim,
  off,
  fresh,
  onPick,
  stop,
  onFocus,
  hint,
  place,
}) {
  if (!face && card.back === 'gap') {
    return html`
      <span class="gap" role="img" aria-label=${place ? `empty place ${place}` : 'empty place'}>
        ${card.mark &&
        html`
          <span>${card.mark}</span>
        `}
      </span>
    `;
  }
  const say = spoken(card, face, { can, chosen, aim, place });
  const live = Boolean(onPick);
  const state = {
    'data-id': card.id,
    'data-can': can || undefined,
    'data-sel': chosen || undefined,
    'data-aim': aim || hint || undefined,
    'data-off': off || undefined,
    'data-new': fresh || undefined,
    'data-veil': (face && card.down) || undefined,
  };
  const common = live
    ? {
        ...state,
        'aria-label': say,
        'aria-pressed': chosen ? 'true' : undefined,
        'aria-disabled': can ? undefined : 'true',
        tabIndex: stop ? 0 : -1,
        onClick: onPick,
        onFocus,
        type: 'button',
        title: face?.text || undefined,
      }
    : { ...state, role: 'img', 'aria-label': say, title: face?.text || undefined };
  const mark =
    card.mark &&
    html`
      <span class="mark">${card.mark}</span>
    `;
  if (!face) {
    const inside = html`
      <span class="g"></span>
      ${skin.back_art
        ? html`
            <${Emblem} name=${skin.back_art} kind="art" />
          `
        : html`
            <b class="big">${skin.back_sign}</b>
          `}${mark}
    `;
    return live
      ? html`
          <button class="card" data-back=${card.back || skin.name} ...${common}>${inside}</button>
        `
      : html`
          <span class="card" data-back=${card.back || skin.name} ...${common}>${inside}</span>
        `;
  }
  const raised = card.load > 0;
  const tone = face.tone ?? -1;
  const style =
    tone >= 0
      ? {
          '--lo': skin.tones?.[tone],
          '--hi': (skin.light_tones ?? skin.tones)?.[tone],
          '--tone': skin.tones?.[tone],
        }
      : undefined;
  const big = face.big ?? '';
  const ends = face.ends?.length ? (card.turned ? [...face.ends].reverse() : face.ends) : null;
  const parts = html`
    <span class="g"></span>
    ${face.shape &&
    html`
      <span class="shape"></span>
    `}${face.ring &&
    html`
      <span class="ring"></span>
    `}
    ${ends
      ? html`
          <span class="tl"><b>${ends[0]}</b></span>
          <span class="br"><b>${ends[1]}</b></span>
          <${Emblem} name=${face.art} kind="art" />
          <${Emblem} name=${face.art} kind="art" />
        `
      : html`
          ${(face.corner || face.corner_art) &&
          html`
            <span class="tl">
              <b>${face.corner}</b>
              ${face.corner_art &&
              html`
                <${Emblem} name=${face.corner_art} />
              `}
            </span>
          `}
          ${face.art &&
          html`
            <${Emblem} name=${face.art} kind="art" />
          `}${big !== '' &&
          html`
            <b class="big">${big}</b>
          `}
        `}
    ${face.step &&
    html`
      <span class="step">${face.step}</span>
    `}${face.title &&
    face.kind !== 'chi' &&
    html`
      <b class="title">${face.title}</b>
    `}${face.printed &&
    html`
      <span class="text">${face.text}</span>
    `}
    ${face.pips
      ? html`
          <span class="pips">
            ${Array.from(
              { length: face.pips },
              () => html`
                <i></i>
              `,
            )}
          </span>
        `
      : ''}
    ${face.foot &&
    !card.as &&
    html`
      <span class="foot">${face.foot}</span>
    `}
    ${card.as &&
    html`
      <span class="as"><b>${card.as}</b></span>
    `}
    ${raised &&
    html`
      <span class="raise"><b>${card.value}</b></span>
      <span class="load">
        ${(card.load > 11 ? [card.load] : chips(card.load)).map(
          (value) => html`
            <span class="chip" data-v=${value}><b>${value}</b></span>
          `,
        )}
      </span>
    `}
    ${mark}
  `;
  const look = {
    'data-skin': skin.name,
    'data-kind': face.kind,
    'data-len': ends ? undefined : String(big).length || undefined,
    'data-tag': face.tag || undefined,
    'data-as': card.as || undefined,
    'data-raised': raised || undefined,
    'data-long': String(card.value ?? '').length > 2 || undefined,
    style,
  };
  return live
    ? html`
        <button class="card" ...${look} ...${common}>${parts}</button>
      `
    : html`
        <span class="card" ...${look} ...${common}>${parts}</span>
      `;
}
