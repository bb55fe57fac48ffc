package e2e

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// logical and memory select the canvases of the first page.
const (
	logical  = "[data-testid=logical-0] canvas"
	hardware = "[data-testid=hardware-0] canvas"
	memory   = "[data-testid=memory] canvas"
)

// point moves the mouse to a cell of a grid.
func (p *tab) point(canvas string, row, col int) {
	p.t.Helper()
	at := get[point](p, fmt.Sprintf("girihTest.cell(%s, %d, %d)", quote(canvas), row, col))
	p.do(chromedp.MouseEvent(chromedp.MouseMoved, at.X, at.Y))
}

// press clicks on a cell of a grid.
func (p *tab) press(canvas string, row, col int) {
	p.t.Helper()
	at := get[point](p, fmt.Sprintf("girihTest.cell(%s, %d, %d)", quote(canvas), row, col))
	p.do(chromedp.MouseEvent(chromedp.MouseMoved, at.X, at.Y), chromedp.MouseClickXY(at.X, at.Y))
}

// inspects waits until the inspector shows the lines want.
func (p *tab) inspects(want map[string]string) {
	p.t.Helper()
	for k, v := range want {
		p.wait(fmt.Sprintf("girihTest.inspector()[%s] === %s", quote(k), quote(v)))
	}
}

// framed waits until a cell of a grid has the frame that marks the element under the pointer.
func (p *tab) framed(canvas string, row, col int) {
	p.t.Helper()
	p.wait(fmt.Sprintf("String(girihTest.framed(%s)) === '%d,%d'", quote(canvas), row, col))
}

// TestLinksOfLayout points at element (3,5) of (8,16):(16,1), with index 3 + 8·5 = 43 and offset 3·16 + 5 = 53.
func TestLinksOfLayout(t *testing.T) {
	p := open(t, "e=(8,16):(16,1)&t=f16")
	p.point(logical, 3, 5)
	p.inspects(map[string]string{"coordinate": "(3,5)", "index": "43", "offset": "53", "in binary": "110101", "byte": "106", "bank": "26 of 32"})
	p.framed(logical, 3, 5)
	p.framed(memory, 53/32, 53%32)
	// In the matrix, the columns for the set bits of the index 43 = 0b0101011 are lit, and so are the rows for the
	// set bits of the offset.
	lit := get[[]int](p, "[...document.querySelectorAll('[data-testid=matrix] thead th')].slice(1).map((e, k) => e.classList.contains('lit') ? k : -1).filter((k) => k >= 0)")
	if !slices.Equal(lit, []int{0, 1, 3, 5}) {
		t.Errorf("lit are the columns %v, want those of the bits of 43", lit)
	}
	rows := get[[]int](p, "[...document.querySelectorAll('[data-testid=matrix] tbody th')].map((e, k) => e.classList.contains('lit') ? k : -1).filter((k) => k >= 0)")
	if !slices.Equal(rows, []int{0, 2, 4, 5}) {
		t.Errorf("lit are the rows %v, want those of the bits of 53", rows)
	}
	if got := get[string](p, "[...document.querySelectorAll('.tree .digit')].map((e) => e.textContent).join()"); got != "3,5" {
		t.Errorf("the digits in the shape tree are %s, want 3,5", got)
	}
	// Pointing at offset 70 in memory lights the element (4,6).
	p.point(memory, 2, 6)
	p.inspects(map[string]string{"coordinate": "(4,6)", "offset": "70"})
	p.framed(logical, 4, 6)
	// In the view by bank, offset 70 is in bank 3 of its row of 64 elements.
	p.click(button("banks"))
	p.settle()
	p.point("[data-testid=memory] canvas", 1, 6)
	p.inspects(map[string]string{"coordinate": "(4,6)", "bank": "3 of 32"})
	p.framed(logical, 4, 6)
	// If the pointer is outside all grids, nothing is lit.
	p.do(chromedp.MouseEvent(chromedp.MouseMoved, 5, 5))
	p.wait("girihTest.framed(" + quote(logical) + ", 1.25) === null")
	p.inspects(map[string]string{"index": "0"}) // the card shows the first element
}

// TestLinksOfThreads checks C of SM80 16x8, in which thread 5 holds (1,2), (1,3), (9,2) and (9,3).
func TestLinksOfThreads(t *testing.T) {
	p := open(t, `e=mma("SM80_16x8x16_F32F16F16F32_TN")`)
	c := "[data-testid=logical-2] canvas"
	p.wait("document.querySelector(" + quote(c) + ")")
	p.settle()
	p.point(c, 9, 2)
	p.inspects(map[string]string{"operand": "C", "coordinate": "(9,2)", "thread": "5  = warp 0, lane 5", "value": "2"})
	p.framed(c, 9, 2)
	p.framed("[data-testid=hardware-2] canvas", 5, 2)
	p.point("[data-testid=hardware-2] canvas", 7, 1)
	p.inspects(map[string]string{"coordinate": "(1,7)", "thread": "7  = warp 0, lane 7", "value": "1"})
	p.framed(c, 1, 7)
}

func TestLinksSelect(t *testing.T) {
	p := open(t, "e=(8,16):(16,1)")
	p.press(logical, 3, 5)
	p.wait("location.hash.includes('s=0.43')")
	p.do(chromedp.MouseEvent(chromedp.MouseMoved, 5, 5))
	p.inspects(map[string]string{"coordinate": "(3,5)"}) // the selection stays
	p.framed(memory, 1, 21)
	p.reload()
	p.inspects(map[string]string{"coordinate": "(3,5)", "index": "43"})
	p.framed(memory, 1, 21)
	p.press(logical, 3, 5) // a second click clears the selection
	p.wait("!location.hash.includes('s=')")
}

func TestLinksKeyboard(t *testing.T) {
	p := open(t, "e=(8,16):(16,1)")
	p.js("document.querySelector(" + quote(logical) + ").focus()")
	for _, k := range []string{kb.ArrowRight, kb.ArrowDown, kb.ArrowDown, kb.ArrowRight} { // the first key selects (0,0)
		p.keys(k)
	}
	p.inspects(map[string]string{"coordinate": "(2,1)", "offset": "33"})
	p.wait("girihTest.said(" + quote(logical) + ") === '(2,1), index 10, offset 33'")
	p.keys(kb.Enter)
	p.wait("location.hash.includes('s=0.10')")
	p.keys(kb.ArrowUp)
	p.inspects(map[string]string{"coordinate": "(1,1)"})
	p.keys(kb.ArrowLeft)
	p.keys(kb.ArrowLeft) // at the edge, the selection does not move
	p.inspects(map[string]string{"coordinate": "(1,0)"})
	// Plus zooms in, so another cell is at the same place on the screen. 0 resets the zoom.
	before := get[point](p, "girihTest.cell("+quote(logical)+", 7, 15, 1.25)")
	p.keys("+")
	p.keys("+")
	p.keys("+")
	p.settle()
	p.do(chromedp.MouseEvent(chromedp.MouseMoved, before.X, before.Y))
	p.wait("girihTest.inspector().coordinate !== '(7,15)' && girihTest.inspector().coordinate !== '(1,0)'")
	p.keys("0")
	p.settle()
	p.do(chromedp.MouseEvent(chromedp.MouseMoved, before.X+1, before.Y+1))
	p.inspects(map[string]string{"coordinate": "(7,15)"})
	p.keys(kb.Escape)
	p.wait("!location.hash.includes('s=')")
}

func TestLinksPan(t *testing.T) {
	p := open(t, "e=(64,64):(64,1)")
	at := get[point](p, "girihTest.cell("+quote(logical)+", 20, 20, 1.25)")
	p.js("document.querySelector(" + quote(logical) + ").focus()")
	p.keys("+")
	p.keys("+")
	p.settle()
	p.do(chromedp.MouseEvent(chromedp.MouseMoved, at.X, at.Y))
	p.wait("girihTest.inspector().coordinate")
	was := get[string](p, "girihTest.inspector().coordinate")
	p.do(chromedp.MouseEvent(chromedp.MousePressed, at.X, at.Y, chromedp.ButtonLeft),
		chromedp.MouseEvent(chromedp.MouseMoved, at.X+80, at.Y+60, chromedp.ButtonLeft),
		chromedp.MouseEvent(chromedp.MouseReleased, at.X+80, at.Y+60, chromedp.ButtonLeft))
	p.settle()
	if h := p.hash(); strings.Contains(h, "s=") {
		t.Errorf("dragging has selected: %s", h)
	}
	// The cell that was under the mouse has moved with the mouse.
	p.do(chromedp.MouseEvent(chromedp.MouseMoved, at.X+81, at.Y+60))
	p.do(chromedp.MouseEvent(chromedp.MouseMoved, at.X+80, at.Y+60))
	p.wait("girihTest.inspector().coordinate === " + quote(was))
}
