// A notification of the system when it becomes your turn and the page is hidden. Off until asked
// for.

import { lasting } from '../privacy/stored.js';
import { here } from './api.js';

const KEY = 'fairdeal notices';

/** Whether this browser has notifications at all. */
export const able = () => 'Notification' in globalThis;

export const isOn = () =>
  able() && lasting.get(KEY) === 'on' && Notification.permission === 'granted';

/** Switch notices on or off; the browser may ask.
 * @returns {Promise<boolean>} whether they are on now */
export async function toggle() {
  const wanted = !isOn() && (await Notification.requestPermission()) === 'granted';
  lasting.set(KEY, wanted ? 'on' : 'off');
  return wanted;
}

/** @param {string} title @param {string} text */
export function announce(title, text) {
  if (!document.hidden || !isOn()) return;
  try {
    const notice = new Notification(title, {
      body: text,
      tag: `fairdeal ${location.pathname}`,
      icon: here('icon.svg'),
    });
    notice.onclick = () => {
      focus();
      notice.close();
    };
  } catch {
    /* some phones have the name, but allow notices from service workers only */
  }
}
