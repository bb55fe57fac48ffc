package e2e

import (
	"fmt"
	"slices"
	"testing"

	"github.com/chromedp/chromedp/kb"
)

// reachable lists the controls that the keyboard reaches, in page order; a group of radio buttons or tabs counts once.
// The controls are named as in names() in the page.
const reachable = `
	window.nameOf = (e) => e.tagName + " " + (e.id || e.getAttribute("aria-label") || e.title || (e.innerText ?? "").trim().slice(0, 40) || e.placeholder || "");
	window.expected = () => [...document.querySelectorAll("button, input, select, textarea, a[href], summary, canvas[tabindex], [tabindex='0']")]
		.filter((e) => !e.disabled && e.tabIndex >= 0 && e.checkVisibility({ visibilityProperty: true }) && e.getClientRects().length > 0);
	window.ring = () => {
		const e = document.activeElement;
		const box = e.closest(".expr") && e.matches("textarea") ? e.closest(".expr") : e;
		const s = getComputedStyle(box);
		if (box !== e) return s.boxShadow !== "none" && s.borderTopColor !== getComputedStyle(document.documentElement).getPropertyValue("--rule");
		return s.outlineStyle !== "none" && parseFloat(s.outlineWidth) >= 2 && contrast(s.outlineColor) >= 3;
	};
	window.ringless = () => {
		const theme = document.documentElement.dataset;
		const bad = ["dark", "light"].filter((x) => { theme.theme = x; return !ring(); });
		return bad.join(" and ");
	};
	const luminance = (c) => {
		const [r, g, b] = c.match(/[\d.]+/g).map((x) => { x = Number(x) / 255; return x <= 0.03928 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4; });
		return 0.2126 * r + 0.7152 * g + 0.0722 * b;
	};
	const contrast = (c) => {
		const [a, b] = [luminance(c), luminance(getComputedStyle(document.body.parentElement).backgroundColor)].sort((x, y) => y - x);
		return (a + 0.05) / (b + 0.05);
	};
`

// TestKeysReach checks that, on every page, the tab key reaches every control once, in page order, and that the focused
// control has a ring that is visible in both themes.
func TestKeysReach(t *testing.T) {
	for _, id := range pages {
		p := open(t, "p="+id+"&theme=light&q=sm70+8x8x4")
		p.settle()
		p.js(reachable + `window.want = expected(); document.activeElement.blur(); getSelection().removeAllRanges()`)
		n := get[int](p, "want.length")
		if n < 10 {
			t.Fatalf("page %q has %d controls", id, n)
		}
		var got []int
		for range n + 30 {
			p.keys("\t")
			at := get[int](p, "document.activeElement === document.body ? -2 : want.indexOf(document.activeElement)")
			if at == -2 || (len(got) > 5 && at == got[0]) {
				break
			}
			if at < 0 {
				continue // a scrolling box, or an element that is visible only with the focus
			}
			got = append(got, at)
			if bad := get[string](p, "ringless()"); bad != "" {
				t.Errorf("page %q, %s: no ring around %s", id, bad, get[string](p, "nameOf(document.activeElement)"))
			}
		}
		if !slices.IsSorted(got) {
			t.Errorf("page %q: the order of the tab key is %v", id, got)
		}
		for k := range n {
			if !slices.Contains(got, k) {
				t.Errorf("page %q: the tab key does not reach %s", id, get[string](p, fmt.Sprintf("nameOf(want[%d])", k)))
			}
		}
	}
}

// TestKeysEscape checks that ? opens the complete list of keys, and that Escape closes the list and restores the focus.
// The list of examples behaves in the same way.
func TestKeysEscape(t *testing.T) {
	p := open(t, "e=4:1")
	p.js("girihTest.button('SVG').focus()")
	p.keys("?")
	p.wait("document.querySelector('dialog[open]')")
	for _, key := range []string{"?", "/", "Tab", "Esc", "Enter", "Shift", "Ctrl", "Space", "←", "↑", "→", "↓", "+", "−", "0", "n", "b"} {
		p.wait("[...document.querySelectorAll('dialog kbd')].some((e) => e.textContent === " + quote(key) + ")")
	}
	p.keys(kb.Escape)
	p.wait("!document.querySelector('dialog[open]') && document.activeElement === girihTest.button('SVG')")
	p.keys("?")
	p.wait("document.querySelector('dialog[open]')")
	p.keys("?") // ? closes the list too
	p.wait("!document.querySelector('dialog[open]')")
	p.keys("/")
	p.wait("document.activeElement.id === 'expr'")
	p.keys("?/") // a text field takes these keys as text
	p.wait("document.querySelector('#expr').value.includes('?/') && !document.querySelector('dialog[open]')")
	p.write(bar, "4:1")
	p.js("document.querySelector('.examples summary').focus()")
	p.keys(kb.Enter)
	p.wait("document.querySelector('.examples').open")
	p.keys("\t")
	p.wait("document.activeElement.matches('.examples li button')")
	p.keys(kb.Escape)
	p.wait("!document.querySelector('.examples').open && document.activeElement.matches('.examples summary')")
	p.keys(kb.Enter + "\t" + kb.Enter)
	p.waitText("[data-testid=value]", "Sw<3,3,3>")
	p.wait("!document.querySelector('.examples').open")
	p.click("document.querySelector('.examples summary')")
	p.wait("document.querySelector('.examples').open")
	p.click("document.querySelector('.wordmark')")
	p.wait("!document.querySelector('.examples').open")
}

// TestKeysLessons checks that keys change the step of a lesson and move the focus to the new step. A field takes these
// keys as text.
func TestKeysLessons(t *testing.T) {
	p := open(t, "p=lessons")
	p.keys("n")
	p.wait("document.querySelector('.lesson h1').innerText === 'Every coordinate has an index' && document.activeElement.id === 'step'")
	p.keys("b")
	p.wait("document.querySelector('.lesson h1').innerText === 'A layout is a function' && document.activeElement.id === 'step'")
	p.keys("b") // there is no earlier step
	p.js("document.querySelector('#answer').focus()")
	p.keys("nb")
	p.wait("document.querySelector('#answer').value === 'nb' && location.hash === '#p=lessons'")
}
