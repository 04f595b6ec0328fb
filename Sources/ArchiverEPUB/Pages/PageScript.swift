/// The only script of a book's pages: arrow keys and swipes turn pages, as do the space bar and Page
/// Down at the end of a page; vertical text scrolls by keys and wheel before it turns, and the fit of
/// images is kept from page to page. Parts that scroll get the focus, for keys. A page by itself has the
/// theme that its reader chose in the library, where the browser shares it between the two.
///
/// It is inline, so that copied bundles have it, and the page's policy permits this text only. On a
/// page wider than the window, arrow keys scroll as usual.
package enum PageScript {
  package static let text = """
    (() => {
    "use strict";
    try {
    const theme = localStorage.getItem("archiver.theme");
    if (parent === window && ["light", "sepia", "dark"].includes(theme)) document.documentElement.dataset.theme = theme;
    } catch {}
    const kept = () => /^#fit-/.test(location.hash) ? location.hash : "";
    const turns = rel => [...document.querySelectorAll(`a[rel="${rel}"]`)];
    const keep = () => {
    for (const link of [...turns("prev"), ...turns("next")]) link.hash = kept();
    };
    const isMate = parent !== window && location.hash === "#alone";
    const follow = rel => {
    const link = turns(rel).find(link => isMate ? link.closest(".two") : link.getClientRects().length);
    if (link) link.click();
    return Boolean(link);
    };
    const turn = way => follow(way === (document.body.dataset.next || "right") ? "next" : "prev");
    const isWide = one => one.scrollWidth > one.clientWidth + 1;
    const columns = () => document.querySelector(".vertical");
    const scrolls = (way, distance) => {
    const one = [columns(), document.querySelector(".comic")].find(one => one && isWide(one));
    if (!one) return false;
    const start = one.scrollLeft;
    one.scrollBy({left: way === "left" ? -distance(one) : distance(one), behavior: "instant"});
    return Math.abs(one.scrollLeft - start) > 1;
    };
    const most = one => one.clientWidth * .9;
    const onward = () => !columns() ? document.body.dataset.next || "right" : columns().classList.contains("from-left") ? "right" : "left";
    const back = {left: "right", right: "left"};
    const isAtEnd = way => {
    const box = (document.getElementById("content") || document.documentElement).getBoundingClientRect();
    return 2 > (way > 0 ? box.bottom - innerHeight : -box.top);
    };
    addEventListener("DOMContentLoaded", () => {
    keep();
    if (isMate) for (const link of document.links) link.target = "_parent";
    });
    addEventListener("hashchange", keep);
    const scrollers = ".comic, .sheet, .sheet :is(p, div, section, article, aside, li, dd, dt, td, th, blockquote, figure, figcaption, h1, h2, h3, h4)";
    const free = () => {
    for (const one of document.querySelectorAll(scrollers)) {
    const isTall = one.scrollHeight > one.clientHeight + 1;
    const style = isWide(one) || isTall ? getComputedStyle(one) : null;
    if (style && (isWide(one) && /auto|scroll/.test(style.overflowX) || isTall && /auto|scroll/.test(style.overflowY))) one.tabIndex = 0;
    else one.removeAttribute("tabindex");
    }
    };
    for (const change of ["load", "resize", "hashchange"]) addEventListener(change, free);
    addEventListener("keydown", event => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.defaultPrevented) return;
    const place = event.target;
    if (place !== document.body && !place.closest("a, .vertical") && !place.matches(scrollers)) return;
    const way = event.shiftKey ? null : {ArrowLeft: "left", ArrowRight: "right"}[event.key];
    const screen = event.key === " " && place.closest("a") ? 0
    : event.key === "PageUp" || event.key === " " && event.shiftKey ? -1 : event.key === "PageDown" || event.key === " " ? 1 : 0;
    let isDone = false;
    if (way) {
    if (document.documentElement.scrollWidth > innerWidth + 1 || place.matches(scrollers) && !place.matches(".comic")) return;
    isDone = scrolls(way, most) || turn(way);
    } else if (screen && (columns() || isAtEnd(screen))) {
    isDone = scrolls(screen > 0 ? onward() : back[onward()], most) || !event.repeat && follow(screen > 0 ? "next" : "prev");
    } else if (columns() && ["Home", "End"].includes(event.key)) {
    isDone = scrolls(event.key === "End" ? onward() : back[onward()], one => one.scrollWidth);
    }
    if (isDone) event.preventDefault();
    });
    addEventListener("wheel", event => {
    if (event.ctrlKey || event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) return;
    if (!columns() || !event.target.closest(".vertical")) return;
    const size = [1, 40, innerHeight][event.deltaMode] * Math.abs(event.deltaY);
    if (scrolls(event.deltaY > 0 ? onward() : back[onward()], () => size)) event.preventDefault();
    }, {passive: false});
    let touch = null;
    addEventListener("touchstart", event => {
    const [finger, other] = event.touches;
    let place = event.target;
    while (place && place !== document.documentElement && !isWide(place)) place = place.parentElement;
    const isFree = !other && place === document.documentElement && !isWide(place) && (window.visualViewport?.scale ?? 1) === 1;
    touch = isFree ? finger : null;
    }, {passive: true});
    addEventListener("touchend", event => {
    const start = touch;
    touch = null;
    if (!start || event.touches.length || !document.getSelection().isCollapsed) return;
    const [x, y] = [event.changedTouches[0].clientX - start.clientX, event.changedTouches[0].clientY - start.clientY];
    if (Math.abs(x) > 60 && Math.abs(x) > 2 * Math.abs(y)) turn(x > 0 ? "left" : "right");
    }, {passive: true});
    })();
    """

  /// The hash of `text` for the content security policy; a test compares the two.
  package static let hash = "sha256-+2Ssdqv/EdXE6r3C/pzfOG4kfX5EOFORSunnmuKbxrk="
}
