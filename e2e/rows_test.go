package e2e

import (
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// drag presses the n-th number that can be dragged, from 0, and moves the mouse to the right by dx pixels, in steps.
func (p *tab) drag(n string, dx float64) point {
	p.t.Helper()
	number := "document.querySelectorAll('.number-at')[" + n + "]"
	p.wait(number)
	at := get[point](p, "girihTest.middle("+number+")")
	p.do(chromedp.MouseEvent(chromedp.MouseMoved, at.X, at.Y), chromedp.MouseEvent(chromedp.MousePressed, at.X, at.Y, chromedp.ButtonLeft))
	for i := 1.0; i <= 4; i++ {
		p.do(chromedp.MouseEvent(chromedp.MouseMoved, at.X+dx*i/4, at.Y, chromedp.ButtonLeft))
	}
	return point{at.X + dx, at.Y}
}

func (p *tab) drop(at point) {
	p.t.Helper()
	p.do(chromedp.MouseEvent(chromedp.MouseReleased, at.X, at.Y, chromedp.ButtonLeft))
}

// TestRows checks that the rows below a number follow while it is dragged, that the link has the result, and that Escape
// takes a drag back.
func TestRows(t *testing.T) {
	p := open(t, "p=open")
	p.click("document.querySelector('[data-testid=rows]')")
	p.waitText("#l4\\.1 .value", "= Sw<3,2,3> o 0 o (8,32):(32,1)")
	p.wait("document.querySelector('#l4\\\\.1 canvas')") // the last row has its picture
	at := p.drag("0", 28)
	p.waitText("#l4\\.1 .value", "= Sw<3,2,3> o 0 o (12,32):(32,1)") // before the button is released
	p.waitText("#l3\\.1 .value", "= ((1,4),(12,8)):((0,1),(32,4))")
	if h := p.hash(); strings.Contains(h, "c.0") {
		t.Errorf("the link has changed while a number is dragged: %s", h)
	}
	p.drop(at)
	p.wait("location.hash.includes('c.0=rows+%3D+12')")
	p.reload()
	p.waitText("#l4\\.1 .value", "(12,32):(32,1)")
	at = p.drag("1", -70)
	p.waitText("#l4\\.1 .value", "(12,22):(22,1)")
	p.keys(kb.Escape)
	p.drop(at)
	p.waitText("#l4\\.1 .value", "(12,32):(32,1)")
	p.click("document.querySelector('[data-testid=add-row]')")
	p.wait("document.activeElement.matches('#l4\\\\.2 textarea')")
	p.keys("size(vectors)")
	p.waitText("#l4\\.2 .value", "= 384")
}

// TestRowsKeys checks that Alt and an arrow key change the number at the cursor, that the browser can undo it, and that a
// number can be dragged in the line of Explore, which becomes a row.
func TestRowsKeys(t *testing.T) {
	p := open(t, opened("v.girih", "n = 8\nA = (n,4):(4,1)\n"))
	p.waitText("#l1\\.1 .value", "= (8,4):(4,1)")
	p.js("const e = document.querySelector('#l0\\\\.1 textarea'); e.focus(); e.setSelectionRange(5, 5)")
	p.keys(kb.ArrowUp, chromedp.KeyModifiers(chromedp.ModifierAlt))
	p.waitText("#l1\\.1 .value", "= (9,4):(4,1)")
	p.keys(kb.ArrowDown, chromedp.KeyModifiers(chromedp.ModifierAlt|chromedp.ModifierShift))
	p.waitText("#l1\\.1 .value", "= (4,4):(4,1)")
	p.js("document.execCommand('undo')")
	p.waitText("#l1\\.1 .value", "= (9,4):(4,1)")

	p.load("e=(4,8):(8,1)")
	p.drop(p.drag("1", -14))
	p.waitText("[data-testid=value]", "(4,6):(8,1)")
	p.wait("location.hash === '#e=(4,6):(8,1)'")
	p.click("document.querySelectorAll('.number-at')[2]") // a click sets the cursor
	p.wait("document.activeElement.id === 'expr' && [7, 8].includes(document.activeElement.selectionStart)")
	p.click(button("name it"))
	p.waitText("#l0\\.1 .value", "= (4,6):(8,1)")
}
