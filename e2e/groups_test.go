package e2e

import (
	"fmt"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// lit waits until exactly the cells want of a grid are lit.
func (p *tab) lit(canvas string, want ...[2]int) {
	p.t.Helper()
	cells := ""
	for k, c := range want {
		if k > 0 {
			cells += " "
		}
		cells += fmt.Sprintf("%d,%d", c[0], c[1])
	}
	p.wait(fmt.Sprintf("girihTest.lit(%s).map(String).join(' ') === %s", quote(canvas), quote(cells)))
}

// TestTreeLightsModes checks that pointing at a mode of the shape tree lights the elements along this mode.
func TestTreeLightsModes(t *testing.T) {
	p := open(t, "e=(4,(2,4)):(8,(1,2))&s=0.13")
	// Element 13 is at (1,(1,1)).
	over := func(leaf int) {
		at := get[point](p, fmt.Sprintf("girihTest.middle(document.querySelectorAll('.tree .leaf')[%d])", leaf))
		p.do(chromedp.MouseEvent(chromedp.MouseMoved, at.X, at.Y))
	}
	over(0)
	p.lit(logical, [2]int{0, 3}, [2]int{1, 3}, [2]int{2, 3}, [2]int{3, 3})
	over(1)
	p.lit(logical, [2]int{1, 2}, [2]int{1, 3})
	over(2)
	p.lit(logical, [2]int{1, 1}, [2]int{1, 3}, [2]int{1, 5}, [2]int{1, 7})
	p.lit(memory, [2]int{0, 9}, [2]int{0, 11}, [2]int{0, 13}, [2]int{0, 15})
	// With the keyboard, an arrow moves from one leaf to the next.
	p.do(chromedp.MouseEvent(chromedp.MouseMoved, 5, 5))
	p.js("document.querySelector('.tree .leaf').focus()")
	p.keys(kb.ArrowRight)
	p.lit(logical, [2]int{1, 2}, [2]int{1, 3})
}

// TestMatrixLightsBits checks that pointing at a bit in the matrix lights the elements that have this bit set.
func TestMatrixLightsBits(t *testing.T) {
	p := open(t, "e=Sw<1,0,2>+o+0+o+(4,2):(2,1)")
	over := func(selector string) {
		at := get[point](p, "girihTest.middle(document.querySelector("+quote("[data-testid=matrix] "+selector)+"))")
		p.do(chromedp.MouseEvent(chromedp.MouseMoved, at.X, at.Y))
	}
	// The third bit of the index is the column.
	over("thead th:nth-child(4) button")
	p.lit(logical, [2]int{0, 1}, [2]int{1, 1}, [2]int{2, 1}, [2]int{3, 1})
	// The first bit of the offset is the column. In rows 2 and 3, the third bit is set, so the swizzle flips the first.
	over("tbody tr:nth-child(1) th button")
	p.lit(logical, [2]int{0, 1}, [2]int{1, 1}, [2]int{2, 0}, [2]int{3, 0})
	p.do(chromedp.MouseEvent(chromedp.MouseMoved, 5, 5))
	p.wait("girihTest.lit(" + quote(logical) + ").length === 0")
}
