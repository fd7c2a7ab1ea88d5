"""Cards in Chromium: at a glance, a face is told apart from the back of its game, and its name has its words."""

import base64

import msgspec
import pytest

import fairdeal
from fairdeal.engine.registry import find_game, game_names
from tests.server.visiting import PAINTED, STILL

APART = {"chimax": 12.0}
USUALLY_APART = 3.0
"""The least mean difference between a face and a back, in percent of the range of a colour, in blurred pictures that
are 40 pixels wide. It is larger in the box with the games of memory, where both lie side by side."""

DRAWN = """async ({ faces, backs, skin }) => {
    const [{ html, render }, { Card }] = await Promise.all(
        ['vendor/htm-preact.js', 'kit/card.js'].map((name) => import(`/web/${name}`)));
    const cards = [
        ...backs.map((back, number) => ({ card: { id: `back.${number}`, down: true, back } })),
        ...faces.map((face, number) => ({ card: { id: `face.${number}` }, face })),
    ];
    const sheet = document.createElement('div');
    sheet.dataset.skin = skin.name;
    Object.assign(sheet.style, { position: 'fixed', inset: 0, zIndex: 99, background: '#888', display: 'grid' });
    sheet.style.gridTemplateColumns = 'repeat(16, 40px)';
    sheet.style.setProperty('--w', '40px');
    document.body.append(sheet);
    render(cards.map((one) => html`<${Card} ...${one} skin=${skin} />`), sheet);
    await document.fonts.ready;
    return [...sheet.children].map((one) => {
        const { left, top, width, height } = one.getBoundingClientRect();
        return [left, top, width, height];
    });
}"""
"""Draws all backs and faces of a game, 40 pixels wide, and says where they are."""

DIFFERENCES = """async ({ picture, boxes, backs }) => {
    const bytes = Uint8Array.from(atob(picture), (letter) => letter.charCodeAt(0));
    const image = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
    const pixels = boxes.map(([left, top, width, height]) => {
        const canvas = new OffscreenCanvas(40, 56);
        const brush = canvas.getContext('2d');
        brush.filter = 'blur(3px)';
        brush.drawImage(image, left, top, width, height, 0, 0, 40, 56);
        return brush.getImageData(0, 0, 40, 56).data;
    });
    const apart = (one, other) => {
        let sum = 0;
        for (let at = 0; at < one.length; at += 1) sum += Math.abs(one[at] - other[at]);
        return (100 * sum) / 255 / (one.length * 0.75);
    };
    return pixels.slice(backs).map((face) => Math.min(...pixels.slice(0, backs).map((back) => apart(face, back))));
}"""
"""By how much each face differs from the back that is most like it, in percent."""

UNSAID = """() => {
    const words = (text) => ` ${text.toLowerCase().match(/[\\p{L}\\p{N}]+/gu)?.join(' ') ?? ''} `;
    return [...document.querySelectorAll('[data-id^=face]')].flatMap((card) => {
        const name = words(card.ariaLabel);
        const texts = [...card.querySelectorAll('*')].filter((one) => !one.children.length && one.checkVisibility());
        return texts.map((one) => one.textContent)
            .filter((text) => /\\p{L}{2}/u.test(text) && !name.includes(words(text)))
            .map((text) => `${card.ariaLabel}: ${text}`);
    });
}"""
"""The words that are printed on the cards that were drawn, and that their names lack."""


@pytest.mark.parametrize("title", game_names())
def test_a_face_differs_from_a_back_at_a_glance_and_its_name_has_its_words(title, visit):
    game = find_game(title)
    faces = dict(game.faces(fairdeal.load(title).options))
    backs = [game.skin.name, *(["kit"] if title == "war-xtreme" else [])]
    page = visit(f"/rules/{title}", **STILL)
    page.wait_for_selector(".rulebook .card")
    page.evaluate(PAINTED)
    skin, *drawn = (msgspec.to_builtins(msgspec.structs.asdict(one)) for one in (game.skin, *faces.values()))
    boxes = page.evaluate(DRAWN, {"faces": drawn, "backs": backs, "skin": skin})
    picture = base64.b64encode(page.screenshot()).decode()
    found = page.evaluate(DIFFERENCES, {"picture": picture, "boxes": boxes, "backs": len(backs)})
    apart = dict(zip(faces, found, strict=True))
    assert len(apart) > 8
    least = APART.get(game.skin.name, USUALLY_APART)
    assert {face: round(by, 1) for face, by in apart.items() if by < least} == {}
    assert page.evaluate(UNSAID) == []
