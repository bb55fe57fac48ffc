package e2e

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
)

// The tests of this file log times without checking them, because times on a loaded machine say nothing about the page.
// They run with -speed only.

// measures skips a test that only logs times, unless they are asked for.
func measures(t *testing.T) {
	t.Helper()
	if !*speed {
		t.Skip("times are measured with -speed")
	}
}

// TestSpeedFirstView measures the time from the start of the navigation until the first grid is painted; the goal is
// 300 ms.
func TestSpeedFirstView(t *testing.T) {
	measures(t)
	p := blank(t, server)
	var times []float64
	for range 7 {
		p.load("")
		times = append(times, get[float64](p, "girihTest.firstPaint"))
	}
	t.Logf("first view: %s ms; with the caches of the browser empty %.1f ms", spread(times[min(1, len(times)-1):]), times[0])
	t.Logf("first view, of which until the page is read: %.0f ms, until its script has run: %.0f ms",
		get[float64](p, "performance.getEntriesByType('navigation')[0].responseEnd"), get[float64](p, "performance.getEntriesByType('navigation')[0].domContentLoadedEventEnd"))
}

// TestSpeedKeystroke measures the time from a keystroke until the grid of 64 by 64 elements is redrawn; the goal is
// 50 ms.
func TestSpeedKeystroke(t *testing.T) {
	measures(t)
	p := open(t, "e=(64,64):(64,1)")
	p.js(`
		window.times = [];
		addEventListener("input", () => {
			const start = performance.now();
			const shown = () => document.querySelector("[data-testid=value]")?.textContent;
			const was = shown();
			const look = () => {
				if (shown() !== was && girihTest.lastPaint > start) times.push(girihTest.lastPaint - start);
				else requestAnimationFrame(look);
			};
			requestAnimationFrame(look);
		}, true);
		const e = document.querySelector("#expr"); e.focus(); e.setSelectionRange(9, 11)`)
	for k := range 12 {
		call(p, input.InsertText, input.InsertTextParams{Text: fmt.Sprint(65 + k)})
		p.wait(fmt.Sprintf("times.length === %d", k+1))
		p.settle()
		p.js(`document.querySelector("#expr").setSelectionRange(9, 11)`)
	}
	t.Logf("keystroke until a 64 by 64 view is redrawn: %s ms", spread(get[[]float64](p, "times")[2:]))
}

// TestSpeedPage measures the time from the request for an edit of a cell until the page has drawn the answer, for the
// cells of the documents in girih; the goal is 50 ms a cell. A reader pauses longer between two edits than the cells
// before take.
func TestSpeedPage(t *testing.T) {
	measures(t)
	for _, name := range []string{"000", "002", "003", "004"} {
		p := open(t, "p=open&page="+name)
		p.wait("document.querySelectorAll('.document .cell').length > 1")
		p.js(recordPages)
		var times []float64
		for k := range get[int](p, "document.querySelectorAll('.document .cell').length") {
			area := quote(line(fmt.Sprint(k), "1") + " textarea")
			p.js("document.querySelector(" + area + ").focus()")
			p.settle()
			for n := range 3 {
				p.js(fmt.Sprintf(`{
					const a = document.querySelector(%s);
					a.setRangeText(%q, a.value.length, a.value.length, "end");
					a.dispatchEvent(new Event("input", { bubbles: true }));
				}`, area, strings.Repeat(" ", n+1)))
				p.wait(fmt.Sprintf("girihPages.filter((q) => q.took && q.edited && !q.ready).length === %d", len(times)+1))
				p.settle()
				times = append(times, get[float64](p, "girihPages.findLast((q) => q.edited && !q.ready).took"))
			}
		}
		t.Logf("seed %s, an edit of a cell: %s ms", name, spread(times))
	}
}

// TestSpeedPan measures the time per frame while 131,072 cells are dragged and pointed at; the goal is 16.7 ms.
func TestSpeedPan(t *testing.T) {
	measures(t)
	p := open(t, "e=(256,512):(512,1)")
	p.waitText("[data-testid=logical-0] figcaption", "256 × 512")
	p.settle()
	p.js("document.querySelector(" + quote(logical) + ").focus()")
	at := get[point](p, "girihTest.middle(document.querySelector("+quote(logical)+"))")
	// moves makes one mouse move per frame, and returns the times between frames.
	moves := func(buttons int) []float64 {
		return get[[]float64](p, fmt.Sprintf(`new Promise((done) => {
			const c = document.querySelector(%s);
			const times = [];
			let n = 0;
			let last = 0;
			const step = (now) => {
				if (n > 2) times.push(now - last);
				last = now;
				if (++n > 60) return done(times);
				const x = %f + 60 * Math.sin(n / 6);
				const y = %f + 40 * Math.cos(n / 6);
				c.dispatchEvent(new PointerEvent("pointermove", { pointerId: 1, pointerType: "mouse", isPrimary: true, buttons: %d, bubbles: true, clientX: x, clientY: y }));
				requestAnimationFrame(step);
			};
			requestAnimationFrame(step);
		})`, quote(logical), at.X, at.Y, buttons))
	}
	for _, zoom := range []string{"all of it in sight", "zoomed in six times", "zoomed in twelve times"} {
		p.do(chromedp.MouseEvent(chromedp.MouseMoved, 5, 5))
		p.settle()
		p.do(chromedp.MouseEvent(chromedp.MousePressed, at.X, at.Y, chromedp.ButtonLeft))
		frames := moves(1)
		p.do(chromedp.MouseEvent(chromedp.MouseReleased, at.X, at.Y, chromedp.ButtonLeft))
		t.Logf("131,072 cells, %s: dragging %s ms a frame", zoom, spread(frames))
		t.Logf("131,072 cells, %s: pointing %s ms a frame", zoom, spread(moves(0)))
		for range 6 {
			p.keys("+")
		}
		p.settle()
	}
	start := time.Now()
	p.load("e=(256,512):(512,2)")
	t.Logf("131,072 cells: loaded and drawn in %v", time.Since(start).Round(time.Millisecond))
}

// rounds returns the number of measurements: n if figures are requested, otherwise a small number.
func rounds(n int) int {
	if *speed {
		return n
	}
	return 1
}

// spread formats the median and the extremes of measurements.
func spread(x []float64) string {
	slices.Sort(x)
	return fmt.Sprintf("median %.1f, least %.1f, most %.1f of %d", x[len(x)/2], x[0], x[len(x)-1], len(x))
}
