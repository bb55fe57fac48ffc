package e2e

import (
	"testing"

	"github.com/chromedp/chromedp"
)

// phone opens a state on a touch screen of 390 by 844.
func phone(t *testing.T, hash string) *tab {
	t.Helper()
	needBrowser(t)
	p := blank(t, server)
	p.do(chromedp.EmulateViewport(390, 844, chromedp.EmulateMobile, chromedp.EmulateTouch))
	p.load(hash)
	return p
}

// narrow reports elements that extend beyond the right edge, and grids that cannot be used.
func (p *tab) narrow(what string) {
	p.t.Helper()
	w := get[struct {
		Scroll, Client int
		Over           []string
	}](p, "girihTest.wide()")
	if w.Client != 390 || w.Scroll > w.Client {
		p.t.Errorf("%s: the page is %d wide on a screen of %d: %v", what, w.Scroll, w.Client, w.Over)
	}
	if n := get[int](p, "[...document.querySelectorAll('canvas')].filter((e) => e.clientWidth < 200).length"); n > 0 {
		p.t.Errorf("%s: %d grids are narrower than 200", what, n)
	}
}

// TestPhone checks that, on a phone, nothing extends beyond the right edge, even if a page shows long errors.
func TestPhone(t *testing.T) {
	p := phone(t, "")
	for _, hash := range []string{
		"", "e=" + quoteMMA, "p=algebra", "p=algebra&op=zipped_divide", "p=swizzle", "p=mma&thread=5&s=2.5", "p=copy", "p=copy&all=1", "p=kernel", "p=kernel&s=2.9&m=40.1&by=phase", "p=kernel&k=" + name, "p=compare", "p=lessons",
		`e=tiled_mma("SM80_16x8x16_F32F16F16F32_TN",+(2,2,1),+<32,32,16>)`,
		"e=(1048576,1048576):(1048576,1)", "e=(2,(2,(2,(2,(2,(2,(2,2)))))))",
		// States with errors whose texts are short or very long.
		"e=(6,2):(1,7)+o+(3,2):(2,3)", "e=nosuch" + name + "(4:1)", "e=4:",
		"p=algebra&a=(6,2):(1,7)&b=(3,2):(2,3)", "p=algebra&a=" + name, "p=swizzle&B=6&S=3", "p=swizzle&tile=" + name, "p=swizzle&access=" + name,
		"p=mma&atom=" + name, "p=mma&atoms=(0,1,1)", "p=mma&q=" + name, "p=mma&pr=3", "p=copy&val=(1,3)", "p=copy&op=" + name, "p=copy&smem=(64,64&mma=" + name,
		"p=compare&a=16:&b=" + name, "p=compare&a=4:1&b=8:1", "p=lessons&l=layout&e.A=" + name, "p=lessons&l=composition&k=4", "p=lessons&l=" + name,
		"p=open", "page=000", "page=002&lang=zh", "p=open&text=" + name, "p=open&name=" + name,
	} {
		p.load(hash)
		p.narrow(hash)
	}
}

// name is a single word that is wider than the screen of a phone.
const name = "SM80_16x8x16_F32F16F16F32_TN_SM80_16x8x16_F32F16F16F32_TN_SM80_16x8x16_F32F16F16F32_TN"

// TestPhoneThumb checks that all tabs and the most used controls are visible and large enough for a thumb.
func TestPhoneThumb(t *testing.T) {
	p := phone(t, "p=lessons&k=2")
	type box struct {
		Name                       string
		Left, Right, Width, Height float64
	}
	for _, b := range get[[]box](p, `[...document.querySelectorAll("header button, .turn > button, .ask-box button, .fold")].map((e) => {
		const r = e.getBoundingClientRect();
		return { Name: e.innerText || e.ariaLabel, Left: r.left, Right: r.right, Width: r.width, Height: r.height };
	})`) {
		if b.Left < 0 || b.Right > 390 || b.Width < 38 || b.Height < 40 {
			t.Errorf("%q is from %.0f to %.0f and %.0f high", b.Name, b.Left, b.Right, b.Height)
		}
	}
	// The text of each field is large enough that a phone does not zoom into the field.
	for _, id := range pages {
		p.load("p=" + id)
		if small := get[[]string](p, `[...document.querySelectorAll("input:not([type=range], [type=checkbox]), select, textarea")].filter((e) => parseFloat(getComputedStyle(e).fontSize) < 16).map((e) => e.outerHTML.slice(0, 80))`); len(small) > 0 {
			t.Errorf("page %q: fields with small letters: %v", id, small)
		}
	}
}

// TestPhoneElement checks that a touched element is described at the bottom of the screen, regardless of the place of
// its grid.
func TestPhoneElement(t *testing.T) {
	p := phone(t, "e="+quoteMMA)
	c := "[data-testid=logical-2] canvas"
	p.wait("document.querySelector(" + quote(c) + ")")
	p.settle()
	at := get[point](p, "girihTest.cell("+quote(c)+", 1, 2)")
	p.do(chromedp.MouseClickXY(at.X, at.Y))
	p.inspects(map[string]string{"operand": "C", "coordinate": "(1,2)"})
	if in := get[bool](p, "(() => { const r = document.querySelector('dl.inspector').getBoundingClientRect(); return r.top > 400 && r.bottom <= innerHeight })()"); !in {
		t.Error("the inspector is not in sight")
	}
	p.narrow("with an element")
}

const quoteMMA = `mma("SM80_16x8x16_F32F16F16F32_TN")`

// TestPhoneOpened checks that opened parts of the page stay within the screen too: the code of a value, with lines of
// any length, and the menu of examples.
func TestPhoneOpened(t *testing.T) {
	p := phone(t, "")
	p.click(button("examples"))
	p.wait("document.querySelector('.examples').open")
	p.narrow("examples")
	if in := get[bool](p, "[...document.querySelectorAll('.examples button')].every((e) => { const r = e.getBoundingClientRect(); return r.left >= 0 && r.right <= 390 && e.scrollWidth <= e.clientWidth })"); !in {
		t.Error("the examples are cut")
	}
	for _, id := range []string{"", "algebra", "swizzle", "mma", "copy"} {
		p.load("p=" + id)
		p.click(button("code"))
		p.wait("document.querySelector('[data-testid=code] pre')")
		p.narrow("code of " + id)
	}
}
