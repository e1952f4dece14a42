// Finds what lies outside the window, is cut off or is covered, as the visitor of a page would see it.
() => {
  // Sheets that a person opens, and parts of a board that rise over the rest on purpose.
  const SHEETS = `[popover], dialog, .menu-sheet, .opens-sheet, .confirm-sheet, .answers form, .drawer .log, .log-note, .nope, .seal1, .reasons-sheet,
    .chair-says, .air, .offered, .arena, .recap, .thought, .where-note, .rule > a,
    .generals:has(.lift:checked) > .prompt`;
  // Pictures on the ground, and what a fan of cards shows only of a lifted card.
  const UNSEEN = ".art *, .wall *, .fan .slot:not(:has(.lift:checked)) :is(.gist, .info)";
  const BADGES = "kbd, .vs, .tab, .note";
  const PILED = "#hand > *, .side > *, .hand > *";
  const SHORTENED = ".cut-head, .net-words, .bar-title, .deeds, .jinkei .ribbon";  // which stands whole elsewhere

  const NARROW = 600;  // a window up to this width has no room for long lines

  const found = new Set();
  const style = (el) => getComputedStyle(el);
  const scrolls = (how) => how === "auto" || how === "scroll";
  const cuts = (how) => how === "hidden" || how === "clip";
  const whole = cuts(style(document.body).overflowY);  // the page itself does not scroll
  const call = (el) => {
    const owner = el.closest("[id]")?.id ?? "";
    const kinds = [...el.classList].map((one) => `.${one}`).join("");
    return el.id ? `#${el.id}` : `#${owner} ${el.tagName.toLowerCase()}${kinds}`;
  };
  const ancestors = function* (el) { for (let one = el; one; one = one.parentElement) yield one; };
  const visible = (el) => el.checkVisibility({opacityProperty: true, visibilityProperty: true});
  const hidden = (el) => !visible(el) || [...ancestors(el)].some((one) => style(one).clipPath === "inset(50%)");

  // The next element that may cut this one off.
  const frame = (el) => {
    const {position} = style(el);
    if (position === "fixed" || el.matches(":popover-open, dialog[open]")) return null;
    if (position !== "absolute") return el.parentElement;
    const holds = (one) => style(one).position !== "static" || style(one).transform !== "none";
    return [...ancestors(el.parentElement)].find(holds);
  };
  const paints = (el) => {
    const {backgroundColor, backgroundImage} = style(el);
    if (!visible(el)) return false;
    if (/^(svg|use|path|img|input|select)$/i.test(el.tagName)) return true;
    return backgroundImage !== "none" || !/[,/] 0(\.[0-4]\d*)?\)$/.test(backgroundColor);
  };

  // Whether one thing may lie over another.
  const meant = (over, el) => {
    if (over.contains(el) || el.contains(over)) return true;
    if (!whole && [...ancestors(over)].some((one) => /sticky|fixed/.test(style(one).position))) return true;
    const sheet = over.closest(SHEETS), label = over.closest("label"), badge = over.closest(BADGES);
    if (sheet && !sheet.contains(el)) return true;
    if (label && label === el.closest("label")) return true;
    if (over.closest(".zone > h3") && el.matches(".here")) return true;  // all of a zone is a button, below its name
    if (badge && over.closest(".unit") === el.closest(".unit")) return true;
    const one = over.closest(PILED), other = el.closest(PILED);
    return one && other && one !== other && one.parentElement === other.parentElement;
  };

  let lines = [];
  const check = (el, what, box, points) => {
    if (el.closest(UNSEEN)) return;
    const tell = (fault) => found.add(`${what} ${call(el)} ${fault}`);
    let {left, right, top, bottom} = box;
    for (let one = what === "text" ? el : frame(el); one && one !== document.body; one = frame(one)) {
      const {overflowX, overflowY, webkitLineClamp} = style(one);
      if (overflowX === "visible" && overflowY === "visible") continue;
      const edge = one.getBoundingClientRect();
      const beside = right > edge.right + 1.5 || left < edge.left - 1.5;
      const below = bottom > edge.bottom + 3 || top < edge.top - 3;
      if (cuts(overflowX) && beside && !one.matches(SHORTENED)) tell(`is cut at a side by ${call(one)}`);
      if (cuts(overflowY) && below && webkitLineClamp === "none") tell(`is cut by ${call(one)}`);
      left = Math.max(left, edge.left);
      right = Math.min(right, edge.right);
      top = Math.max(top, edge.top);
      bottom = Math.min(bottom, edge.bottom);
      if (right - left < 1 || bottom - top < 1) return;  // scrolled out of sight
    }
    if (left < -1 || right > innerWidth + 1) tell(`lies beside the window: ${left | 0} to ${right | 0}`);
    if (whole && (top < -1 || bottom > innerHeight + 1)) tell(`lies below the window: ${top | 0} to ${bottom | 0}`);
    if (what === "text") {
      const room = (bottom - top) / 4;  // above and below the letters
      const own = {el, left: left + 1, right: right - 1, top: top + room, bottom: bottom - room};
      for (const one of lines) {
        const meet = own.left < one.right && one.left < own.right && own.top < one.bottom && one.top < own.bottom;
        if (meet && one.el !== el && !meant(one.el, el) && !meant(el, one.el)) tell(`lies over text ${call(one.el)}`);
      }
      lines.push(own);
    }
    for (const [across, down] of points) {
      const x = left + (right - left) * across, y = top + (bottom - top) * down;
      if (x < 0 || y < 0 || x >= innerWidth || y >= innerHeight) continue;
      const first = document.elementFromPoint(x, y);  // much faster than the list
      if (first === el || first?.contains(el)) continue;
      for (const over of document.elementsFromPoint(x, y)) {
        if (over === el || over.contains(el)) break;
        if (el.contains(over) || !paints(over)) continue;
        if (!meant(over, el)) tell(`is covered by ${call(over)}`);
        break;
      }
    }
  };

  // Whether the page must be scrolled for it.
  const far = ({top, bottom}) => !whole && (bottom < 0 || top > innerHeight);

  const checkScreen = () => {
    lines = [];
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node; (node = texts.nextNode());) {
      const el = node.parentElement, range = document.createRange();
      if (!node.data.trim() || el.matches("script, style, noscript, option, textarea, .skip")) continue;
      range.selectNodeContents(node);
      if (far(range.getBoundingClientRect()) || hidden(el)) continue;
      const across = style(el).writingMode === "horizontal-tb";
      const points = [.2, .5, .8].map((at) => across ? [at, .5] : [.5, at]);
      const rows = [...range.getClientRects()], wide = Math.max(...rows.map((box) => box.width));
      const squeezed = across && innerWidth > NARROW && rows.length > 4 && wide < 3 * parseFloat(style(el).fontSize);
      if (squeezed) found.add(`text ${call(el)} is squeezed into ${rows.length} lines`);
      for (const box of rows) if (box.width > 1 && box.height > 1) check(el, "text", box, points);
    }
    for (const el of document.querySelectorAll("a, button, input:not([type=hidden]), select, summary, .icon")) {
      const box = el.getBoundingClientRect(), icon = el.matches(".icon");
      if (box.width <= 1 || far(box) || hidden(el) || el.matches(".skip, label input")) continue;
      if (!icon && !paints(el) && style(el).borderTopColor.endsWith(", 0)")) continue;  // a place to press, not to see
      check(el, "box", box, icon ? [[.5, .5]] : [[.5, .5], [.2, .2], [.8, .8]]);
    }
  };

  const sheet = new CSSStyleSheet();  // the page's policy would refuse an element
  sheet.replaceSync("* { pointer-events: auto !important; }");
  document.adoptedStyleSheets.push(sheet);
  const page = document.documentElement, last = whole ? 0 : page.scrollHeight - innerHeight;
  if (page.scrollWidth > innerWidth) found.add(`the page scrolls sideways by ${page.scrollWidth - innerWidth}`);
  checkScreen();
  for (let y = 0; y < last;) {
    y += innerHeight - 100;
    scrollTo({top: y, behavior: "instant"});
    checkScreen();
  }
  scrollTo({top: 0, behavior: "instant"});
  document.adoptedStyleSheets.pop();
  return [...found];
}
