// An open pile, fanned out over the middle: everybody has seen these cards, and may look again.
import { html } from '../vendor/htm-preact.js';
import { Card } from '../kit/card.js';
import { Popover } from '../kit/popover.js';

/** @import { Card as OnTable, Table, Zone } from '../types.js' */

/** @param {{ zone: Zone & { cards: OnTable[] }, table: Table, close: () => void }} props */
export function Pile({ zone, table, close }) {
  const name = zone.label || zone.say;
  return html`
    <${Popover} label=${`${name}, fanned out`} close=${close}>
      <b>${name}: ${zone.cards.length} cards, the last one first</b>
      <ul class="pile">
        ${[...zone.cards].reverse().map(
          (card) => html`
            <li key=${card.id}>
              <${Card}
                card=${{ ...card, id: `fanned.${card.id}` }}
                face=${table.faces[card.face ?? '']}
                skin=${table.skin}
              />
            </li>
          `,
        )}
      </ul>
    <//>
  `;
}
