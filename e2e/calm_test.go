package e2e

import (
	"fmt"
	"slices"
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// TestCalm checks that nothing moves while the user types: the grid stays in place at every key, with and without
// pauses. An unfinished expression is not an error until the user pauses or leaves the field.
func TestCalm(t *testing.T) {
	for _, rests := range []bool{false, true} {
		p := open(t, "e=(8,8):(8,1)")
		p.settle()
		top := func() float64 {
			return get[float64](p, "document.querySelector("+quote(logical)+").getBoundingClientRect().top + scrollY")
		}
		tops := []float64{top()}
		p.js("const e = document.querySelector('#expr'); e.focus(); e.setSelectionRange(99, 99); window.faults = 0; window.seen = new MutationObserver(() => { if (document.querySelector('[data-testid=fault]')) faults++; }); seen.observe(document.querySelector('.ask'), { childList: true, subtree: true })")
		for _, key := range " o (4,2):(1,8)" {
			p.keys(string(key))
			if rests {
				p.wait("document.querySelector('[data-testid=fault]') || !document.querySelector('.views.stale')")
			}
			p.settle()
			tops = append(tops, top())
		}
		p.waitText("[data-testid=value]", "(4,2):")
		tops = append(tops, top())
		slices.Sort(tops)
		if tops = slices.Compact(tops); len(tops) != 1 {
			t.Errorf("rests %v: the top of the grid is at %v while one types", rests, tops)
		}
		if n := get[int](p, "faults"); rests && n == 0 {
			t.Error("what is not finished is never said")
		}
	}
}

// TestCalmRefused checks that the last value stays visible while the user types. After a pause, an error replaces the
// value and shows the operands of the refused operation and the witness; no earlier value remains below the error.
func TestCalmRefused(t *testing.T) {
	p := open(t, "e=(6,2):(1,7)")
	p.settle()
	p.write(bar, "(6,2):(1,7) o (3,2):(2,3)")
	p.waitText("[data-testid=fault]", "witness")
	p.waitText("[data-testid=failure]", "digit 0 reaches")
	p.waitText("[data-testid=failed-a]", "A(7) = 8")
	p.framed("[data-testid=failed-b] canvas", 2, 1)
	if n := p.count(".views, [data-testid=value]"); n != 0 {
		t.Error("a value that is not the one of the expression is shown with the error")
	}
	p.write(bar, "(6,2):(1,7) o (3,2):(2,12)")
	p.waitText("[data-testid=value]", "(3,2):")
	p.wait("!document.querySelector('[data-testid=failure]')")
}

// TestCalmElsewhere checks the other views: their pictures stay in place while a field has no value, has an error, and
// has a value again.
func TestCalmElsewhere(t *testing.T) {
	for _, c := range []struct{ hash, picture, field, refused, fault, good string }{
		{"p=algebra&a=(6,2):(1,7)&b=(3,2):(2,12)", "[data-testid=side-b] canvas", "#opB", "(3,2):(2,3)", "witness", "(3,2):(2,12)"},
		{"p=swizzle", "[data-testid=before] canvas", "#tile", "(8,64):(64,1", "syntax", "(8,64):(64,1)"},
		{"p=swizzle", "[data-testid=after] canvas", "input[list=accesses]", "nosuch", "nosuch", "ld.128"},
		{"p=mma", "[data-testid=logical-1] canvas", "#atoms", "(0,1,1)", "", "(2,2,1)"},
		{"p=copy", "[data-testid=logical-0] canvas", "#val", "(1,3)", "takes 8 values", "(1,8)"},
		{"p=compare", "[data-testid=half-A] canvas", "#cmpB", "(8,64):", "syntax", "Sw<2,3,3> o 0 o (8,64):(64,1)"},
		{"p=lessons", "[data-testid=logical-0] canvas", "#letA", "(3,4):(1", "syntax", "(3,4):(1,3)"},
		{"p=lessons&l=swizzle&k=2", "[data-testid=logical-0] canvas", "#letS", "(32,32):(33", "syntax", "(32,32):(33,1)"},
	} {
		p := open(t, c.hash)
		p.settle()
		p.wait("document.querySelector(" + quote(c.picture) + ")")
		top := "document.querySelector(" + quote(c.picture) + ")?.getBoundingClientRect().top + scrollY"
		was := get[float64](p, top)
		stays := func(when string) {
			t.Helper()
			p.settle()
			if now := get[float64](p, top); now != was {
				t.Errorf("%s, %s %s: the picture is at %v, was at %v", c.hash, c.field, when, now, was)
			}
		}
		p.write(c.field, c.refused)
		p.wait("document.querySelector('.stale')")
		stays("written")
		p.wait("document.querySelector('[data-testid=fault]')")
		p.waitText("[data-testid=fault]", c.fault)
		stays("refused")
		p.write(c.field, c.good)
		p.wait("!document.querySelector('[data-testid=fault], .stale')")
		stays("written again")
	}
}

// TestCalmLeft checks that an unfinished expression is reported as soon as the user leaves the field.
func TestCalmLeft(t *testing.T) {
	p := open(t, "e=4:1")
	p.write(bar, "(4,8):(8,")
	p.wait("document.querySelector('.views.stale')") // the picture stays
	p.js("document.querySelector('#expr').blur()")
	p.waitText("[data-testid=fault]", "syntax")
	p.wait("document.querySelector('.views.stale canvas')")
}

// TestCompletionKeeps checks that accepting a name keeps the text around the name, and that Enter accepts a name only
// if the user chose it in the list.
func TestCompletionKeeps(t *testing.T) {
	p := open(t, "e=4:1")
	typed := func(text string, at int, more string) {
		t.Helper()
		p.write(bar, text)
		p.wait("document.querySelector('#expr').value === " + quote(text))
		p.js("const e = document.querySelector('#expr'); e.setSelectionRange(" + fmt.Sprintf("%d,%d", at, at) + ")")
		p.keys(more)
		p.settle()
	}
	value := func(want string) {
		t.Helper()
		p.wait("document.querySelector('#expr').value === " + quote(want))
	}
	// Without a chosen name, Enter ends the line.
	typed("", 0, "zipp")
	p.wait("document.querySelector('.offers')")
	p.enter()
	p.wait("!document.querySelector('.offers')")
	value("zipp")
	// Names of functions are not offered in quotation marks.
	typed("", 0, `mma("F2`)
	p.enter()
	value(`mma("F2`)
	p.keys(kb.Tab)
	value(`mma("F2`)
	// In the middle of a word, the name replaces the rest of the word, and the text after the word is kept.
	typed("coalse(4:1) o 2:1", 4, "e")
	p.wait("document.querySelector('.offers')")
	p.keys(kb.Tab)
	p.wait("document.querySelector('#expr').value.startsWith('coalesce(') && document.querySelector('#expr').value.endsWith('se(4:1) o 2:1')")
	typed("coalce(4:1) o 2:1", 4, "es")
	p.wait("document.querySelector('.offers')")
	p.keys(kb.Tab)
	value("coalesce(4:1) o 2:1")
	// After a bracket, the name is inserted.
	typed("size(4:1)", 9, "")
	p.keys(" ", chromedp.KeyModifiers(chromedp.ModifierCtrl))
	p.wait("document.querySelector('.offers')")
	p.keys(kb.Tab)
	p.wait("document.querySelector('#expr').value.startsWith('size(4:1)') && document.querySelector('#expr').value.length > 9")
}

// TestSelectedCompared checks that a selected element stays selected and is shown as selected. The page compares it
// with the element that is under the pointer or has the keyboard focus.
func TestSelectedCompared(t *testing.T) {
	p := open(t, "e=Sw<3,3,3>+o+0+o+(8,64):(64,1)&t=f16")
	p.settle()
	p.press(logical, 3, 5)
	p.waitText("dl.inspector", "selected")
	p.inspects(map[string]string{"coordinate": "(3,5)", "offset": "221"})
	p.point(logical, 3, 13)
	p.wait("document.querySelector('[data-testid=both]')")
	row := func(name string, want ...string) {
		t.Helper()
		p.wait("(() => { const tr = [...document.querySelectorAll('.both tbody tr')].find((e) => e.cells[0].textContent === " + quote(name) +
			"); return String([...tr.cells].slice(1).map((e) => e.textContent)) === String(" + quoteList(want) + ") })()")
	}
	row("coordinate", "(3,5)", "(3,13)", "(0,+8)")
	row("offset", "221", "213", "−8")
	row("bank", "14 of 32", "10 of 32", "−4")
	p.do(chromedp.MouseEvent(chromedp.MouseMoved, 5, 5))
	p.waitText("dl.inspector", "selected")
	// The same comparison with keys.
	p.js("document.querySelector(" + quote(logical) + ").focus()")
	p.keys(kb.Escape)
	p.keys(kb.ArrowDown + kb.ArrowRight + kb.Enter)
	p.waitText("dl.inspector", "selected")
	p.keys(kb.ArrowRight)
	row("index", "8", "16", "+8")
	p.keys(kb.Escape)
	p.wait("!document.querySelector('[data-testid=both]') && !location.hash.includes('s=')")
}

// TestTouchedCompared checks a touch screen. Touching an element once compares it with the selected element, and
// touching it again selects it. A button clears the selection.
func TestTouchedCompared(t *testing.T) {
	p := phone(t, "e=(8,16):(16,1)")
	p.settle()
	tap := func(row, col int) {
		t.Helper()
		at := get[point](p, fmt.Sprintf("girihTest.cell(%s, %d, %d)", quote(logical), row, col))
		call(p, input.DispatchTouchEvent, input.DispatchTouchEventParams{Type: input.DispatchTouchEventTypeTouchStart, TouchPoints: []*input.TouchPoint{{X: at.X, Y: at.Y}}})
		call(p, input.DispatchTouchEvent, input.DispatchTouchEventParams{Type: input.DispatchTouchEventTypeTouchEnd, TouchPoints: []*input.TouchPoint{}})
	}
	offsets := func(want ...string) {
		t.Helper()
		p.wait("(() => { const tr = [...document.querySelectorAll('.both tbody tr')].find((e) => e.cells[0].textContent === 'offset'); return tr && String([...tr.cells].slice(1).map((e) => e.textContent)) === String(" + quoteList(want) + ") })()")
	}
	tap(3, 5)
	p.waitText("dl.inspector", "selected")
	p.inspects(map[string]string{"coordinate": "(3,5)"})
	tap(1, 2)
	offsets("53", "18", "−35")
	if in := get[bool](p, "(() => { const r = document.querySelector('.both').getBoundingClientRect(); return r.top > 300 && r.bottom <= innerHeight && r.right <= 390 })()"); !in {
		t.Error("the comparison is not in sight")
	}
	p.narrow("comparing")
	tap(2, 2)
	offsets("53", "34", "−19")
	tap(2, 2)
	p.wait("!document.querySelector('.both') && girihTest.inspector().coordinate === '(2,2)' && location.hash.includes('s=0.18')")
	tap(4, 4)
	offsets("34", "68", "+34")
	p.click(button("let go"))
	p.wait("!document.querySelector('.both, dl.inspector') && !location.hash.includes('s=')")
	tap(4, 4)
	p.waitText("dl.inspector", "selected")
	tap(4, 4)
	p.wait("!document.querySelector('.both, dl.inspector') && !location.hash.includes('s=')")
}

// TestZoomKeepsFocus checks that zooming with keys keeps the focused cell visible.
func TestZoomKeepsFocus(t *testing.T) {
	p := open(t, "e=(64,64):(64,1)")
	p.settle()
	p.press(logical, 60, 62)
	for range 6 {
		p.keys("+")
	}
	p.wait("location.hash.includes('z=g0')")
	p.settle()
	in := get[bool](p, `(() => { const f = girihTest.fit(`+quote(logical)+`); const x = f.x + 62.5 * f.width, y = f.y + 60.5 * f.height;
		return x > 0 && y > 0 && x < f.canvas.clientWidth && y < f.canvas.clientHeight })()`)
	if !in {
		t.Error("the focused element has left the view")
	}
}

// TestFillOfSwizzle checks that fills show what a swizzle changes, in Explore and in Compare.
func TestFillOfSwizzle(t *testing.T) {
	p := open(t, "")
	p.waitText("[data-testid=legend]", "group 0 to 7 of 4 banks")
	colors := func(canvas string) int {
		t.Helper()
		p.settle()
		return get[int](p, `(() => { const f = girihTest.fit(`+quote(canvas)+`); const copy = new OffscreenCanvas(f.canvas.width, f.canvas.height).getContext("2d", { willReadFrequently: true });
			copy.drawImage(f.canvas, 0, 0); const ratio = f.canvas.width / f.canvas.clientWidth; const seen = new Set();
			for (let r = 0; r < 8; r++) seen.add(String(copy.getImageData((f.x + 0.12 * f.width) * ratio, (f.y + (r + 0.85) * f.height) * ratio, 1, 1).data));
			return seen.size })()`)
	}
	if n := colors(logical); n != 8 {
		t.Errorf("the first column has %d colors, want 8", n)
	}
	p.load("e=(8,64):(64,1)&t=f16&by=group")
	if n := colors(logical); n != 1 {
		t.Errorf("without the swizzle the first column has %d colors, want 1", n)
	}
	// F2 strides can describe a swizzle too: these strides are the swizzle above, for every type.
	p.load("e=(8,64):(F2(72),F2(1))&t=f16")
	p.waitText("[data-testid=legend]", "group 0 to 7 of 4 banks")
	if n := colors(logical); n != 8 {
		t.Errorf("with F2 strides the first column has %d colors, want 8", n)
	}
	// The fill of an operand in Algebra depends on its element type.
	for typ, want := range map[string]int{"f16": 8, "f32": 4} { // the next row begins 16 or 32 bytes later
		p.load("p=algebra&op=coalesce&a=Sw<3,3,3>+o+0+o+(8,64):(64,1)&t=" + typ)
		p.waitText("[data-testid=legend]", "group 0 to 7 of 4 banks")
		if n := colors("[data-testid=side-a] canvas"); n != want {
			t.Errorf("in Algebra the first column of %s has %d colors, want %d", typ, n, want)
		}
	}
	p.load("p=algebra&op=coalesce&a=Sw<3,3,3>+o+0+o+(8,64):(64,1)")
	p.choose("select", "f16")
	p.wait("location.hash.includes('t=f16')")
	if n := colors("[data-testid=side-a] canvas"); n != 8 {
		t.Errorf("in Algebra the first column has %d colors after f16 was chosen, want 8", n)
	}
	p.load("p=compare&a=Sw<3,3,3>+o+0+o+(8,64):(64,1)&b=Sw<3,3,3>+o+0+o+(8,64):(64,1)")
	if n := colors("[data-testid=half-A] canvas"); n != 8 {
		t.Errorf("in Compare the first column has %d colors, want 8", n)
	}
}

// TestOpenValues checks that run-time integers have fields for their values, and that a tuple is shown as a layout only
// on request.
func TestOpenValues(t *testing.T) {
	p := open(t, "e=(?,4):(1,?)")
	p.waitText("[data-testid=symbolic]", "?1, ?2")
	p.write("[data-testid=symbols] label:nth-of-type(1) input", "8")
	p.write("[data-testid=symbols] label:nth-of-type(2) input", "16")
	p.waitText("[data-testid=value]", "(8,4):(1,16)")
	p.waitText("[data-testid=logical-0] figcaption", "8 × 4")
	p.wait("decodeURIComponent(location.hash).includes('set=?1=8,?2=16')")
	p.reload()
	p.waitText("[data-testid=value]", "(8,4):(1,16)")

	p.load("e=(1,2,3)")
	p.waitText("[data-testid=tuple]", "a tuple")
	if n := p.count(".views"); n != 0 {
		t.Error("a tuple is drawn as a layout")
	}
	p.click(button("draw as shape (1,2,3)"))
	p.waitText("[data-testid=value]", "(1,2,3):")
	p.wait("document.querySelector(" + quote(logical) + ")")
}

// TestPhoneScrolls checks that a finger moved over a picture scrolls the page, and that a button zooms in until numbers
// are readable, and out again.
func TestPhoneScrolls(t *testing.T) {
	p := phone(t, "")
	p.settle()
	action := "getComputedStyle(document.querySelector(" + quote(logical) + ")).touchAction"
	if a := get[string](p, action); a != "pan-x pan-y" {
		t.Errorf("touch-action of a picture that fits is %s", a)
	}
	width := "girihTest.fit(" + quote(logical) + ").width"
	was := get[float64](p, width)
	p.click("document.querySelector('[data-testid=logical-0] .numbers')")
	p.wait(width + " > 18")
	p.wait(action + " === 'none'")
	p.click("document.querySelector('[data-testid=logical-0] .numbers')")
	p.wait("Math.abs(" + width + " - " + fmt.Sprint(was) + ") < 0.01")
}

// TestStepsWhole checks that each table of steps shows its last column, or shows that it can be scrolled.
func TestStepsWhole(t *testing.T) {
	p := open(t, "p=algebra")
	for _, width := range []int64{1440, 1920, 390} {
		p.do(chromedp.EmulateViewport(width, 900))
		p.wait(fmt.Sprintf("innerWidth === %d", width))
		p.settle()
		p.wait("document.querySelector('.explanation pre')")
		if cut := get[[]string](p, "[...document.querySelectorAll('.explanation pre')].filter((e) => e.scrollWidth > e.clientWidth + 1).map((e) => e.innerText.slice(0, 60))"); width > 1000 && len(cut) > 0 {
			t.Errorf("at %d the steps are cut: %q", width, cut)
		}
	}
}
