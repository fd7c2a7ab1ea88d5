// Small sounds, made here and off until asked for.

import { lasting } from '../privacy/stored.js';

const KEY = 'fairdeal sound';

/** @type {AudioContext | undefined} */
let context;
let on = lasting.get(KEY) === 'on';

export const isOn = () => on;

export function toggle() {
  on = !on;
  lasting.set(KEY, on ? 'on' : 'off');
  if (on) play('turn');
  return on;
}

/** @param {'card' | 'turn' | 'over' | 'no'} what */
export function play(what) {
  if (!on) return;
  context ??= new AudioContext();
  const notes = {
    card: [[180, 0, 0.05]],
    turn: [
      [523, 0, 0.1],
      [784, 0.1, 0.16],
    ],
    over: [
      [523, 0, 0.12],
      [659, 0.12, 0.12],
      [784, 0.24, 0.3],
    ],
    no: [[160, 0, 0.12]],
  }[what];
  for (const [pitch, after, length] of notes) {
    const start = context.currentTime + after;
    const tone = context.createOscillator();
    const volume = context.createGain();
    tone.type = what === 'card' ? 'triangle' : 'sine';
    tone.frequency.value = pitch;
    volume.gain.setValueAtTime(0.0001, start);
    volume.gain.exponentialRampToValueAtTime(0.12, start + 0.01);
    volume.gain.exponentialRampToValueAtTime(0.0001, start + length);
    tone.connect(volume).connect(context.destination);
    tone.start(start);
    tone.stop(start + length + 0.02);
  }
}
