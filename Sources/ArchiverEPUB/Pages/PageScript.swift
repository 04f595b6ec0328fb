/// The only script of a book's pages: arrow keys turn pages, and the fit of images is kept from
/// page to page.
///
/// It is inline, so that copied bundles have it, and the page's policy permits this text only. On a
/// page wider than the window, arrow keys scroll as usual.
package enum PageScript {
  package static let text = """
    (() => {
    "use strict";
    const kept = () => /^#fit-/.test(location.hash) ? location.hash : "";
    const turns = rel => [...document.querySelectorAll(`a[rel="${rel}"]`)];
    const keep = () => {
    for (const link of [...turns("prev"), ...turns("next")]) link.hash = kept();
    };
    addEventListener("DOMContentLoaded", keep);
    addEventListener("hashchange", keep);
    addEventListener("keydown", event => {
    const way = {ArrowLeft: "left", ArrowRight: "right"}[event.key];
    if (!way || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey || event.defaultPrevented) return;
    const place = event.target;
    if (place !== document.body && !place.closest("a")) return;
    if (document.documentElement.scrollWidth > innerWidth + 1) return;
    const rel = way === (document.body.dataset.next || "right") ? "next" : "prev";
    const link = turns(rel).find(link => link.getClientRects().length);
    if (!link) return;
    event.preventDefault();
    link.click();
    });
    })();
    """

  /// The hash of `text` for the content security policy; a test compares the two.
  package static let hash = "sha256-q+D0dh9AfO9tCey9sgb0qcOK4MYosU1H7jsGghtXO2Y="
}
