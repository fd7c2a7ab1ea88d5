"""Where the parts of a table are on the screen, and whether they stay there."""

from fairdeal.testing.screens import DRAWN

LEAST_LETTER = 11
"""Pixels that any word on the screen has at least; on a card they are drawn, and the card can be looked at closely."""

LEAST_NAME = 4
"""Letters of a name that are read before it is shortened."""

LEAST_CARD = 30
"""Pixels that a card has at least in a fight, where its value is compared."""

LEAST = [LEAST_LETTER, LEAST_NAME, LEAST_CARD]

CUT = """(root) => {
    const wrong = new Set(), pen = document.createElement('canvas').getContext('2d');
    const texts = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    for (let node = texts.nextNode(); node; node = texts.nextNode()) {
        const holder = node.parentElement, { font, textTransform } = getComputedStyle(holder);
        if (!node.data.trim() || !holder.checkVisibility({ visibilityProperty: true })) continue;
        if (holder.closest('.card, .chip, .gap, .sr, .seal, svg')) continue;
        const text = textTransform === 'uppercase' ? node.data.trim().toUpperCase() : node.data.trim();
        pen.font = font;
        const ink = pen.measureText(text), range = document.createRange();
        range.selectNodeContents(node);
        let lines = [...range.getClientRects()].map(({ left, right, top, bottom }) => ({  // what is painted of them
            left, right,
            top: top + ink.fontBoundingBoxAscent - ink.actualBoundingBoxAscent,
            bottom: bottom - ink.fontBoundingBoxDescent + ink.actualBoundingBoxDescent,
        }));
        let shortened = false;
        for (let at = holder; at && lines.length; at = at.parentElement) {
            const style = getComputedStyle(at), edge = at.getBoundingClientRect();
            shortened ||= style.textOverflow === 'ellipsis' || style.webkitLineClamp !== 'none';
            if (style.overflowX === 'visible' || style.display === 'contents') continue;
            if (/auto|scroll/.test(style.overflowY)) break;  // which can be read on
            lines = lines.filter((one) => one.top < edge.bottom - 0.5 && one.bottom > edge.top + 0.5);
            if (/auto|scroll/.test(style.overflowX))
                lines = lines.filter((one) => one.left >= edge.left && one.right <= edge.right);
            for (const line of lines) {
                const high = Math.max(line.bottom - edge.bottom, edge.top - line.top);
                const wide = Math.max(line.right - edge.right, edge.left - line.left);
                if (high > 0.75) wrong.add(`"${text}" loses ${high.toFixed(1)} pixels of its height`);
                if (wide > 1 && (!shortened || at.closest('.top'))) wrong.add(`"${text}" is cut`);
            }
        }
    }
    return [...wrong];
}"""
"""Words of which something is not painted, though their line is seen: the tail of a letter, or the end where no dots
stand for it. In the bar at the top no word may be shortened by dots either."""


CUT_VALUES = """(all) => all.filter((one) => one.checkVisibility()).filter((one) => {
    const pen = document.createElement('canvas').getContext('2d'), style = getComputedStyle(one);
    pen.font = style.font;
    const arrow = 20, room = one.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight) - arrow;
    return pen.measureText(one.selectedOptions[0].text).width > room;
}).map((one) => one.selectedOptions[0].text)"""
"""The chosen values of selects of which an end is cut off by the arrow."""


LEAST_TARGET = 24
"""Pixels of width and height that can be touched of everything that can be pressed."""

SEEN = """([letter, target]) => {
    const box = (one) => one.getBoundingClientRect();
    const shown = (one) => one.checkVisibility({ visibilityProperty: true, opacityProperty: false });
    const dialogs = [...document.querySelectorAll('dialog[open], [role=dialog]')].filter(shown);
    if (getComputedStyle(document.querySelector('.app[data-drawer] .scrim') ?? document.head).display !== 'none')
        dialogs.push(document.querySelector('.side'));  // a drawer
    const over = document.querySelectorAll('.top, .side, .verdict:not([data-down])');  // a result covers its table
    const open = dialogs.length ? dialogs.slice(-1) : over.length > 2 ? [...over] : [document.body];
    return open.flatMap((scope) => wrongIn(scope));
    function wrongIn(scope) {
        const wrong = new Set((CUT)(scope));
        const nameOf = (one) => one.ariaLabel || one.textContent.trim().slice(0, 40) || one.className;
        const scrolls = (one, way) => /auto|scroll/.test(getComputedStyle(one)[`overflow${way}`]);
        const outside = (rect, holder) => {  // how far from the screen, as far as nothing that scrolls brings it there
            let { left, top, right, bottom } = rect;
            for (let at = holder; at && at !== document.documentElement; at = at.parentElement) {
                const style = getComputedStyle(at), edge = box(at);
                if (style.display !== 'contents' && style.overflowX !== 'visible' && at !== document.body) {
                    if (scrolls(at, 'X')) [left, right] = [edge.left, edge.right];
                    if (scrolls(at, 'Y')) [top, bottom] = [edge.top, edge.bottom];
                    [left, right] = [Math.max(left, edge.left), Math.min(right, edge.right)];
                    [top, bottom] = [Math.max(top, edge.top), Math.min(bottom, edge.bottom)];
                    if (left >= right || top >= bottom) return 0;  // folded away
                }
                if (style.position === 'fixed') return Math.max(-left, -top, right - innerWidth, bottom - innerHeight);
            }
            return Math.max(-left - scrollX, -top - scrollY, right - innerWidth);
        };
        const texts = document.createTreeWalker(scope, NodeFilter.SHOW_TEXT);
        for (let node = texts.nextNode(); node; node = texts.nextNode()) {
            const holder = node.parentElement, text = node.data.trim();
            if (!text || !shown(holder) || holder.closest('.card, .chip, .gap, .sr, .seal, svg, option')) continue;
            const size = parseFloat(getComputedStyle(holder).fontSize), range = document.createRange();
            if (size < letter - 0.1) wrong.add(`"${text}" has ${size} px`);
            range.selectNodeContents(node);
            const far = Math.max(0, ...[...range.getClientRects()].map((rect) => outside(rect, holder)));
            if (far > 1) wrong.add(`"${text}" lies ${Math.round(far)} px outside the screen`);
        }
        const places = [...document.querySelectorAll('*')].filter((one) => one.scrollTop || one.scrollLeft)
            .map((one) => [one, one.scrollTop, one.scrollLeft]);
        const pressed = 'a[href], button, input, select, textarea, summary, [role=tab]';
        for (const one of [...scope.querySelectorAll(pressed)]) {
            const shape = one.matches('.sr, label input') && one.closest('label') ? one.closest('label') : one;
            if (!shown(shape) || one.disabled || one.closest('.card, .cards') || !box(shape).width) continue;
            const { display, pointerEvents } = getComputedStyle(shape), around = shape.parentElement.textContent.trim();
            if (pointerEvents === 'none' || one.closest('.seat')?.querySelector('.aim')) continue;
            const inLine = display === 'inline' && around !== shape.textContent.trim();  // as high as its line
            shape.scrollIntoView({ block: 'nearest', inline: 'nearest', behavior: 'instant' });
            const reached = (x, y) => {
                const found = document.elementFromPoint(x, y);
                return found && (shape.contains(found) || (found.control ?? found.closest('label')?.control) === one);
            };
            const { left, top, width, height } = box(shape), [x, y] = [left + width / 2, top + height / 2];
            const steps = [-0.5, 0, 0.5].map((part) => part * (target - 1));
            if (steps.every((across) => steps.every((down) => reached(x + across, y + down)))) continue;
            const columns = [], most = target / 4;
            let best = 0;
            for (let across = left - target / 2 + 2; across < left + width + target / 2; across += 4) {
                const column = [];
                for (let down = top - target / 2 + 2; down < top + height + target / 2; down += 4)
                    column.push(reached(across, down));
                columns.push(column);
            }
            for (let side = most; side > best; side -= 1) {
                const square = (at, row) => columns.slice(at, at + side)
                    .every((column) => column.slice(row, row + side).every(Boolean));
                if (columns.some((column, at) => at + side <= columns.length
                    && column.some((_, row) => row + side <= column.length && square(at, row)))) best = side;
            }
            if (best < (inLine ? 1 : most)) {
                const above = document.elementFromPoint(x, y);
                const size = `${Math.round(width)} x ${Math.round(height)}`;
                wrong.add(`of "${nameOf(one)}", ${size}, only ${best * 4} px can be touched: ${above?.className}`);
            }
        }
        document.querySelectorAll('*').forEach((one) => {
            if (one.scrollTop || one.scrollLeft) one.scrollTo({ top: 0, left: 0, behavior: 'instant' });
        });
        places.forEach(([one, top, left]) => one.scrollTo({ top, left, behavior: 'instant' }));
        return [...wrong];
    }
}""".replace("(CUT)", f"({CUT})")
"""What is wrong on any page, or in the dialog over it: words that are too small, cut, or where no scrolling brings them
onto the screen, and what can be pressed but has too little that can be touched."""


MEASURE = """([least, letters, narrowest]) => {
    const box = (one) => { const { x, y, width, height } = one.getBoundingClientRect(); return [x, y, width, height]; };
    const all = (selector) => [...document.querySelectorAll(selector)].filter((one) => one.checkVisibility());
    const instrument = (one) => one.className === 'middle' ? ` of ${one.parentElement.dataset.staged}` : '';
    const name = (one) => one.dataset?.seat ? `seat ${one.dataset.seat}` : `${one.className}${instrument(one)}`;
    const framed = document.querySelector('[data-lifted]')  // behind the result
        ? [] : all('.field, .status-line, .prompt, .own, .seat, .middle, .fight, .me .face');
    const frame = Object.fromEntries(framed.map((one) => [name(one).split(' data')[0], box(one)]));
    const over = (a, b) => Math.min(a[0] + a[2], b[0] + b[2]) - Math.max(a[0], b[0]) > 1
        && Math.min(a[1] + a[3], b[1] + b[3]) - Math.max(a[1], b[1]) > 1;
    const cut = (part, inside = part.parentElement) => {  // by the edge of what scrolls, or not on the screen
        const [left, top, wide, high] = box(part);
        for (let holder = inside; holder; holder = holder.parentElement) {
            if (getComputedStyle(holder).overflowX === 'visible') continue;
            const [x, y, width, height] = box(holder);
            if (left < x - 1 || top < y - 1 || left + wide > x + width + 1 || top + high > y + height + 1) return true;
        }
        return false;
    };
    const wrong = (CUT)(document.querySelector('.app'));
    for (const seat of all('.seat')) {
        const parts = [...seat.querySelectorAll('.who, .counts, .zones')].filter((one) => one.checkVisibility());
        parts.forEach((one, n) => parts.slice(n + 1).forEach((other) => {
            if (over(box(one), box(other))) wrong.push(`${name(seat)}: ${one.className} lies on ${other.className}`);
        }));
        const [x, y, width, height] = box(seat);
        for (const one of parts) {
            const [left, top, wide, high] = box(one);
            if (left < x - 1 || top < y - 1 || left + wide > x + width + 1 || top + high > y + height + 1)
                wrong.push(`${name(seat)}: ${one.className} leaves it`);
        }
        for (const count of [...seat.querySelectorAll('.count')].filter((one) => one.checkVisibility())) {
            const [left, , wide] = box(count);
            if (left + wide > x + width + 1) wrong.push(`${name(seat)}: "${count.textContent}" leaves it`);
        }
    }
    for (const mark of all('.seat > .zones .mark, .own > .zone .mark')) {
        const [left, , wide] = box(mark), [from, , most] = box(mark.closest('.zones, .own > .zone'));
        if (left < from - 1 || left + wide > from + most + 1) wrong.push(`"${mark.textContent}" is cut off`);
    }
    for (const count of all('.seat .count, .me .count')) {
        const signs = [...count.querySelectorAll('small, .chip, .sign')].filter((one) => one.checkVisibility());
        if (!signs.length) wrong.push(`${name(count.closest('.seat, .me'))}: ${count.textContent} is a bare number`);
    }
    for (const title of all('.top .title:has(.facts:empty) > h1')) {
        const [, top, , high] = box(title), [, above, , most] = box(title.closest('.top'));
        if (Math.abs(top + high / 2 - above - most / 2) > 2) wrong.push(`"${title.textContent}" has a gap below it`);
    }
    const pen = document.createElement('canvas').getContext('2d');
    for (const name of all('.seat .who b, .me .who b, .fight .who')) {
        pen.font = getComputedStyle(name).font;
        const [whole, room] = [name.textContent.trim(), name.getBoundingClientRect().width];
        const start = whole.length > letters ? `${whole.slice(0, letters)}…` : whole;
        const least = Math.min(pen.measureText(whole).width, pen.measureText(start).width);
        if (least > room + 1) wrong.push(`of "${whole}" there is less to be read than "${start}"`);
    }
    const numbers = '.seat .count b, .me .count b, .centre h3 > b, .fight .force';
    const open = document.querySelector('.popover, .verdict, .ribbon, .inspector, [role=dialog], .counting');
    for (const number of open ? [] : all(numbers)) {
        const part = number.closest('.seat, .me, .zone, li') ?? number, range = document.createRange();
        range.selectNodeContents(number);
        const [left, top, wide, high] = box(range);
        const seen = [left + 1, left + wide - 1].every((x) => {
            const found = document.elementFromPoint(x, top + high / 2);
            const over = '.card, .cards, .zone:has(> [data-layout=ring])';  // which is laid over the middle of a phone
            return found && (part.contains(found) || found.closest(over) || found.contains(part));
        });
        if (wide && (!seen || cut(range, number)))
            wrong.push(`${name(part)}: the number ${number.textContent} is cut off`);
    }
    for (const card of all('.fight .file .card')) {
        const wide = box(card)[2];
        if (wide < narrowest) wrong.push(`${card.ariaLabel} in the fight is only ${Math.round(wide)} wide`);
    }
    for (const help of all('.prompt .help > span')) {
        if (help.scrollWidth > help.clientWidth + 1 || help.scrollHeight > help.clientHeight + 1)
            wrong.push(`"${help.textContent}" is cut short`);
        if (all('.prompt .acts > .btn, .prompt .rail').some((one) => over(box(help), box(one))))
            wrong.push(`"${help.textContent}" lies under what answers it`);
    }
    const texts = document.createTreeWalker(document.querySelector('.app'), NodeFilter.SHOW_TEXT);
    for (let node = texts.nextNode(); node; node = texts.nextNode()) {
        const holder = node.parentElement;
        if (!node.data.trim() || !holder.checkVisibility() || holder.closest('.card, .chip, .gap, .sr, svg')) continue;
        if (parseFloat(getComputedStyle(holder).fontSize) < least - 0.1)
            wrong.push(`"${node.data.trim()}" has ${getComputedStyle(holder).fontSize}`);
    }
    for (const card of all('.table .card, .table .gap, .prompt .btn, .status-line, .prompt, .own')) {
        if (card.closest('.verdict')) continue;  // which scrolls
        const [left, top, wide, high] = box(card);
        if (left < -1 || left + wide > innerWidth + 1 || top + high > innerHeight + 1)
            wrong.push(`${card.dataset?.id ?? card.className} leaves the screen: ${box(card).map(Math.round)}`);
    }
    const above = '.popover, .verdict, .ribbon, .inspector, [role=dialog]';
    const calm = matchMedia('(prefers-reduced-motion: reduce)').matches;  // else cards may be on their way
    for (const card of calm ? all('.card[data-can], .seat .aim') : []) {
        const [left, top, wide, high] = box(card);
        const shares = [0.1, 0.3, 0.5, 0.7, 0.9];
        const at = (part, share) => document.elementFromPoint(left + part * wide, top + share * high);
        const alike = (one) => one?.closest('.card[data-can]')?.closest('.zone') === card.closest('.zone');
        const touched = (one) => card.contains(one) || alike(one) || one?.closest(above);
        if (!cut(card) && !shares.some((part) => shares.some((share) => touched(at(part, share)))))
            wrong.push(`${card.ariaLabel} lies under ${at(0.5, 0.5)?.className} and cannot be touched`);
    }
    const asks = all('.status-line, .prompt');
    for (const part of calm ? all('.field :is(.card, .mark, h3, .who, .headline > *)') : []) {
        if (part.closest(above) || cut(part)) continue;
        const over_it = asks.find((one) => over(box(part), box(one)));
        if (over_it) wrong.push(`${part.ariaLabel ?? part.textContent} lies under ${over_it.className}`);
    }
    const [, ceiling, , height] = box(document.querySelector('.field'));
    for (const zone of all(':is(.left, .right) > .zone')) {
        const [, top, , high] = box(zone);
        if (top < ceiling - 1 || top + high > ceiling + height + 1) wrong.push(`${zone.ariaLabel} leaves the middle`);
    }
    for (const fact of document.querySelectorAll('.top .facts > :first-child')) {
        if (!fact.checkVisibility() || cut(fact)) wrong.push(`"${fact.textContent}" is nowhere to be read`);
    }
    for (const title of all('.top h1')) {
        if (title.scrollWidth > title.clientWidth + 1) wrong.push(`the title "${title.textContent}" is cut short`);
    }
    for (const note of all('.who small')) {
        if (note.textContent.includes('·') && note.scrollWidth > note.clientWidth + 1)
            wrong.push(`"${note.textContent}" is cut short`);
    }
    const drawn = new Set();
    for (const card of all('.table [data-id]:not([data-id=""])')) {
        if (card.closest('.popover, .inspector, .verdict')) continue;
        if (drawn.has(card.dataset.id)) wrong.push(`${card.dataset.id} is drawn twice`);
        drawn.add(card.dataset.id);
    }
    if (document.documentElement.scrollWidth > innerWidth || document.documentElement.scrollHeight > innerHeight)
        wrong.push('the page scrolls');
    return { frame, wrong: [...new Set(wrong)] };
}""".replace("(CUT)", f"({CUT})")


LIGHTS = """() => {
    const parts = [...document.querySelectorAll('.zone, .zone > h3, .cards, .cards > li')];
    const boxes = () => parts.map((one) => one.getBoundingClientRect()).map((at) => [at.x, at.y, at.width, at.height]);
    const zones = [...document.querySelectorAll('.zone[data-zone]:not(:has([data-layout=ring]))')];
    const found = [];
    for (const mark of ['lit', 'heed', 'hint']) {
        const bare = zones.filter((zone) => !zone.hasAttribute(`data-${mark}`));
        const before = boxes();
        bare.forEach((zone) => zone.setAttribute(`data-${mark}`, ''));
        boxes().forEach((box, n) => {
            const by = Math.max(...box.map((side, at) => Math.abs(side - before[n][at])));
            if (by > 1) found.push(`${mark}: ${parts[n].closest('.zone').dataset.zone} moves by ${Math.round(by)}`);
        });
        bare.forEach((zone) => zone.removeAttribute(`data-${mark}`));
    }
    return { zones: zones.length, found };
}"""
"""What moves if the zones are lit or named: a ring is laid over the middle of a phone then."""

DRAWN_ANEW = DRAWN
"""Wait until what has changed is laid out and drawn."""


CONTRAST = """(selector) => {
    const paper = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
    const light = (colour) => {
        paper.fillStyle = colour;
        paper.fillRect(0, 0, 1, 1);
        const [red, green, blue] = [...paper.getImageData(0, 0, 1, 1).data].map((value) => value / 255)
            .map((value) => value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
    };
    const ground = (one) => {
        const { backgroundColor } = getComputedStyle(one);
        return /rgba.* 0\\)$|transparent/.test(backgroundColor) ? ground(one.parentElement) : backgroundColor;
    };
    return [...document.querySelectorAll(selector)].map((one) => {
        const [darker, lighter] = [light(getComputedStyle(one).color), light(ground(one))].sort((a, b) => a - b);
        return (lighter + 0.05) / (darker + 0.05);
    });
}"""
"""How much each mark with this selector stands out from what it lies on: 1 is not at all. Axe looks at words alone."""


def resize(page, size):
    """Give a page a size, and wait until it is drawn anew."""
    page.set_viewport_size(size)
    page.evaluate(DRAWN_ANEW)


def moved(before, after):
    """The parts of the frame that are not where they were."""
    return {
        part: (before[part], box)
        for part, box in after.items()
        if part in before and max(abs(a - b) for a, b in zip(before[part], box, strict=True)) > 1
    }


RISEN = "() => !document.querySelector('.verdict')?.getAnimations().length"
"""The result does not come up any more: a part of it is below the screen until then."""


class Still:
    """A page whose table must hold still from now on."""

    def __init__(self, page, where):
        self.page, self.where = page, where
        self.frame = page.evaluate(MEASURE, LEAST)["frame"]
        self.looks = 0

    def look(self):
        """Raises AssertionError if anything has moved, lies on something else, is too small or leaves the screen."""
        self.page.wait_for_function(RISEN)
        found = self.page.evaluate(MEASURE, LEAST)
        gone = moved(self.frame, found["frame"])
        assert not gone, f"{self.where}: {gone}"
        assert not found["wrong"], f"{self.where}: {found['wrong']}"
        self.looks += 1
