package e2e

import (
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// TestBarRoles checks what a screen reader knows about the list of names: a combobox controls a listbox, and one option
// is active.
func TestBarRoles(t *testing.T) {
	p := open(t, "e=4:1")
	area := "document.querySelector('#expr')"
	p.wait(area + ".getAttribute('role') === 'combobox' && " + area + ".getAttribute('aria-expanded') === 'false'")
	p.write(bar, "zipp")
	p.wait(area + ".getAttribute('aria-expanded') === 'true' && !" + area + ".hasAttribute('aria-activedescendant')")
	p.keys(kb.ArrowDown)
	meant := "document.getElementById(" + area + ".getAttribute('aria-activedescendant'))"
	p.wait(meant + "?.matches('[role=option][aria-selected=true]')")
	p.wait(meant + ".innerText === 'zipped_divide'")
	p.wait(meant + ".parentElement === document.getElementById(" + area + ".getAttribute('aria-controls')) && " + meant + ".parentElement.matches('[role=listbox]')")
	p.wait("document.getElementById(" + area + ".getAttribute('aria-describedby')).innerText.includes('zipped_divide(L, tiler)')")
	p.keys(kb.ArrowDown)
	p.wait(meant + ".innerText === 'zipped_divide_exact'")
	p.keys(kb.ArrowUp + kb.ArrowUp) // wraps around
	p.wait(meant + ".innerText === 'zipped_product'")
	p.keys(kb.Escape)
	p.wait(area + ".getAttribute('aria-expanded') === 'false' && !" + area + ".hasAttribute('aria-activedescendant') && document.activeElement === " + area)
	// Enter also accepts a name in the middle of a text.
	p.write(bar, "size(coal")
	p.wait("document.querySelector('.offers')")
	p.keys(kb.ArrowDown + kb.Enter)
	p.wait(area + ".value === 'size(coalesce('")
	p.keys("(2,2):(1,2)))")
	p.waitText("[data-testid=value]", "4")
}

// TestBarSignature checks that the help for the call around the cursor marks the current argument, also after the
// cursor moves, until Escape is pressed.
func TestBarSignature(t *testing.T) {
	p := open(t, "e=4:1")
	mark := func(want string) {
		t.Helper()
		p.wait("(document.querySelector('[data-testid=in-call] mark')?.innerText ?? '') === " + quote(want))
	}
	p.write(bar, "")
	p.keys("zipped_divide(")
	p.waitText("[data-testid=in-call]", "zipped_divide(L, tiler)")
	mark("L")
	p.keys("(8,16):(16,1)") // commas of a tuple do not separate arguments of the call
	mark("L")
	p.keys(", <4,")
	mark("tiler")
	p.keys("8>")
	mark("tiler")
	p.keys(")")
	p.wait("!document.querySelector('[data-testid=in-call]')")
	p.keys(kb.ArrowLeft)
	mark("tiler")
	p.keys(kb.Home + kb.ArrowRight)
	p.wait("!document.querySelector('[data-testid=in-call]')")
	p.keys(kb.End + kb.ArrowLeft)
	mark("tiler")
	p.keys(kb.Escape)
	p.wait("!document.querySelector('[data-testid=in-call]') && document.activeElement.id === 'expr'")
	p.write(bar, "")
	p.keys("size<0>(make_layout((2,2), ")
	mark("stride?")
	p.keys("(1,2)), ") // the cursor is in the outer call again
	p.waitText("[data-testid=in-call]", "size(x)")
	mark("")
	p.write(bar, "")
	p.keys(`get((1,2),0,0,"a,b`) // the cursor is inside a string
	mark("...")
	p.js("document.querySelector('#expr').blur()")
	p.wait("!document.querySelector('[data-testid=in-call]')")
}

// TestBarTouch checks that on a touch screen a button opens the list, the list scrolls, and a tap selects a name.
func TestBarTouch(t *testing.T) {
	p := phone(t, "e=4:1")
	p.write(bar, "")
	tap := func(element string) {
		t.Helper()
		p.wait(element)
		at := get[point](p, "(() => { const r = "+element+".getBoundingClientRect(); return { X: r.left + r.width / 2, Y: r.top + r.height / 2 } })()")
		p.do(chromedp.MouseClickXY(at.X, at.Y))
	}
	tap(button("all names"))
	p.wait("document.querySelectorAll('.offers [role=option]').length > 100")
	p.narrow("with the list of names")
	if h := get[float64](p, "document.querySelector('.offers [role=option]').getBoundingClientRect().height"); h < 38 {
		t.Errorf("an option is %.0f high", h)
	}
	p.js("[...document.querySelectorAll('.offers [role=option]')].find((e) => e.innerText === 'layout_left').scrollIntoView({ block: 'center' })")
	tap("[...document.querySelectorAll('.offers [role=option]')].find((e) => e.innerText === 'layout_left')")
	p.wait("document.querySelector('#expr').value === 'layout_left(' && document.activeElement.id === 'expr'")
	p.waitText("[data-testid=in-call] mark", "shape")
	p.narrow("with the help of a call")
	p.keys("(2,4))")
	p.waitText("[data-testid=value]", "(2,4):(1,2)")
	p.keys(kb.Enter)
	tap(button("history"))
	p.narrow("with the history")
	tap("document.querySelector('[role=menuitem]')")
	p.wait("document.querySelector('#expr').value === 'layout_left((2,4))'")
}

// TestBarHistory checks that the history is a menu with keyboard navigation. Escape closes the menu and restores the
// focus; moving the focus out of the menu closes it too.
func TestBarHistory(t *testing.T) {
	p := open(t, "e=4:1")
	for _, e := range []string{"8:1", "8:2"} {
		p.write(bar, e)
		p.waitText("[data-testid=value]", e)
		p.keys(kb.Enter)
	}
	p.js("girihTest.button('history').focus()")
	p.keys(kb.Enter)
	p.wait("document.activeElement.matches('[role=menuitem]') && document.activeElement.innerText === '8:2'")
	p.keys(kb.ArrowDown)
	p.wait("document.activeElement.innerText === '8:1'")
	p.keys(kb.Escape)
	p.wait("!document.querySelector('[role=menu]') && document.activeElement === girihTest.button('history')")
	p.keys(kb.Enter)
	p.wait("document.activeElement.matches('[role=menuitem]')")
	p.keys(kb.ArrowDown + kb.Enter)
	p.wait("document.querySelector('#expr').value === '8:1' && document.activeElement.id === 'expr'")
	p.click(button("history"))
	p.wait("document.activeElement.matches('[role=menuitem]')")
	p.keys("\t\t\t\t")
	p.wait("!document.querySelector('[role=menu]')")
}

// TestFaultOfField checks that an error in one of several fields is reported at that field and names the field, because
// users do not see the program that the page builds from all fields.
func TestFaultOfField(t *testing.T) {
	for _, c := range []struct{ hash, field, text, fault string }{
		{"p=algebra", "#opA", "(2,3", "syntax A: expected ')' or ',' to continue the tuple, found end of input"},
		{"p=algebra", "#opB", "", "syntax B is empty"},
		{"p=mma", "#atoms", "(2", "syntax AtomLayoutMNK: expected ')' or ',' to continue the tuple, found end of input"},
		{"p=mma", "#perm", "<32,", "syntax PermutationMNK: expected an expression, found end of input"},
		{"p=copy", "#thr", "", "syntax thr_layout is empty"},
		{"p=copy", "#val", "(1", "syntax val_layout: expected"},
		{"p=lessons&l=layout&k=2", "#letA", "(3,4):(4", "syntax A: expected ')' or ',' to continue the tuple, found end of input"},
		{"p=lessons&l=layout&k=2", "#letA", "", "syntax A is empty"},
	} {
		p := open(t, c.hash)
		p.write(c.field, c.text)
		p.waitText("[data-testid=fault]", c.fault)
		if c.text != "" {
			p.wait("document.querySelector('" + c.field + "').parentElement.querySelector('.wrong')")
		}
		if n := p.count("[data-testid=fault]"); n != 1 {
			t.Errorf("%s with %q in %s says %d faults", c.hash, c.text, c.field, n)
		}
	}
	p := open(t, "p=mma&atom=nosuch")
	p.waitText("[data-testid=fault]", "no MMA or copy instruction is called")
	if n := p.count("[data-testid=fault]"); n != 1 {
		t.Errorf("an instruction that is not there is told %d times", n)
	}
}

// TestCompletionUndone checks that undo removes a completed name in the same way as typed text.
func TestCompletionUndone(t *testing.T) {
	p := open(t, "e=4:1")
	p.js("const e = document.querySelector('#expr'); e.focus(); e.setSelectionRange(3, 3)")
	p.keys(" o coal")
	p.wait("document.querySelector('[role=listbox]')")
	p.keys(kb.Tab)
	p.wait("document.querySelector('#expr').value === '4:1 o coalesce('")
	call(p, input.DispatchKeyEvent, input.DispatchKeyEventParams{
		Type: input.DispatchKeyEventTypeRawKeyDown, Key: "z", Code: "KeyZ", Modifiers: 2, Commands: []string{"undo"},
	})
	p.wait("document.querySelector('#expr').value === '4:1 o coal'")
	p.wait("location.hash === '#e=4:1+o+coal'")
}
