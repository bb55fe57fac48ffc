package e2e

import (
	"fmt"
	"strings"
	"testing"
)

// TestTruthOfTile changes the shape of a tile. A thread-value map then covers other cells, although the text of the
// map stays the same. After the change, the page must show the same picture as a page loaded in the new state.
func TestTruthOfTile(t *testing.T) {
	const drawn = "document.querySelector('[data-testid=logical-0] canvas').toDataURL()"
	p := open(t, "e=((4,8),(2,2)):((32,1),(16,8))&tile=(16,8)&z=")
	p.settle()
	before := get[string](p, drawn)
	p.js("const e = girihTest.control('as (thread, value)'); e.focus(); e.select()")
	p.keys("(8,16)")
	p.wait("location.hash.includes('tile=(8,16)') || decodeURIComponent(location.hash).includes('tile=(8,16)')")
	p.js("document.activeElement.blur()")
	p.settle()
	after := get[string](p, drawn)
	p.reload()
	p.settle()
	if fresh := get[string](p, drawn); after == before || after != fresh {
		t.Errorf("after the change of the tile the picture is the old one: %v, the one of a page that is loaded: %v", after == before, after == fresh)
	}
}

// TestTruthOfBigNumbers checks that 64-bit integers are shown with all digits.
func TestTruthOfBigNumbers(t *testing.T) {
	p := open(t, "e=(2,2):(9007199254740993,1)&s=0.3&t=f64")
	p.inspects(map[string]string{"coordinate": "(1,1)", "offset": "9007199254740994", "byte": "72057594037927952", "bank": "4-5 of 32"})
	p.waitText("main", "Not drawn: offsets lie beyond 2^53.")
	p.write("#expr", "2:-9223372036854775807")
	p.load("e=2:-9223372036854775807&s=0.1&t=s8")
	p.inspects(map[string]string{"offset": "-9223372036854775807", "byte": "-9223372036854775807"})
	p.load("e=(9007199254740993,3):(0,0)")
	p.waitText(".tree", "27021597764222979")
	p.waitText("main", "9007199254740993 × 3")
}

// TestTruthOfOutline checks an operand of more than 131,072 elements. The page has no coordinates of these elements, so
// the list of a thread's elements omits the operand.
func TestTruthOfOutline(t *testing.T) {
	p := open(t, "p=mma&atom=SM90_64x256x16_F32F16F16_SS&atoms=(8,8,1)&thread=3")
	p.waitText(".outline-note", "More than 131,072")
	p.settle()
	if text := p.text("[data-testid=holdings]"); strings.Contains(text, "V0 (") {
		t.Errorf("thread 3 holds %s", text)
	}
	for _, thread := range []string{"-1", "1e1", "0x2", "1.5", "NaN", "999999999999"} {
		p.load("p=mma&thread=" + thread)
		p.excuse("cannot be parsed, or is out of range")
		p.settle()
		if n := p.count("[data-testid=holdings]"); n != 0 {
			t.Errorf("thread %s holds %s", thread, p.text("[data-testid=holdings]"))
		}
	}
}

// TestTruthOfSolution checks that a solution disappears if the tile, type, access or machine changes.
func TestTruthOfSolution(t *testing.T) {
	for _, change := range []string{
		"girihTest.choose(girihTest.control('element'), 'f32')",
		"girihTest.choose(girihTest.control('machine'), 'sm80')",
		"girihTest.choose(girihTest.control('access'), 'ld.v4')",
	} {
		p := open(t, "p=swizzle&B=0")
		p.click(button("solve"))
		p.waitText("[data-testid=solution]", "Sw<3,3,3>")
		p.js(change)
		p.wait("!document.querySelector('[data-testid=solution]').innerText.includes('Sw<')")
	}
}

// TestTruthWhileSlow checks that parts of the page that belong together change together, even if one answer is slow: a
// cost and its picture, operands and their result, a verdict and both layouts.
func TestTruthWhileSlow(t *testing.T) {
	slow := func(p *tab, of string) {
		p.js(fmt.Sprintf(`const was = window.fetch;
			window.fetch = async (url, o) => {
				if (String(url).endsWith("/bank") || String(o?.body).includes(%s)) await new Promise((f) => setTimeout(f, 700));
				return was(url, o);
			};`, quote(of)))
	}
	never := func(p *tab, what, mixed, done string) {
		t.Helper()
		p.js(fmt.Sprintf("window.mixed = 0; const look = () => { if (%s) mixed++; requestAnimationFrame(look); }; look()", mixed))
		p.wait(done)
		if n := get[int](p, "mixed"); n > 0 {
			t.Errorf("%s: for %d frames answers to two questions were beside each other", what, n)
		}
	}
	text := func(selector string) string {
		return fmt.Sprintf("(document.querySelector(%s)?.innerText ?? '')", quote(selector))
	}
	p := open(t, "p=swizzle")
	p.waitText("[data-testid=degree-after]", "conflict-free")
	slow(p, "nothing")
	p.js("const e = document.querySelector('input[type=range][aria-label^=\"B:\"]'); e.value = 1; e.dispatchEvent(new Event('input', { bubbles: true }))")
	after, degree := text("[data-testid=after] figcaption"), text("[data-testid=degree-after]")
	never(p, "swizzle", after+".includes('Sw<1,3,3>') !== "+degree+".includes('4-way')", degree+".includes('4-way')")

	p = open(t, "p=compare&a=(4,8):(1,4)&b=(4,8):(1,4)")
	p.waitText("[data-testid=verdict]", "one function")
	slow(p, "(4,8):(8,1)")
	p.write("#cmpB", "(4,8):(8,1)")
	half, verdict := text("[data-testid=half-B] figcaption"), text("[data-testid=verdict]")
	never(p, "compare", half+".includes('(8,1)') !== "+verdict+".includes('different')", verdict+".includes('different')")

	p = open(t, "p=algebra&op=logical_product&a=4:1&b=(2,3):(3,1)")
	p.waitText("[data-testid=side-r] figcaption", ":")
	old := p.text("[data-testid=side-r] figcaption")
	slow(p, "logical_product")
	p.write("#opB", "(3,2):(2,1)")
	b, r := text("[data-testid=side-b] figcaption"), text("[data-testid=side-r] figcaption")
	never(p, "algebra", b+".includes('(3,2)') && "+r+".replace(/\\s+/g, ' ').trim() === "+quote(old), b+".includes('(3,2)')")
}

// TestTruthOfCopies checks that the copies in a product correspond to the elements of B in the order of the elements'
// indices, not offsets.
func TestTruthOfCopies(t *testing.T) {
	p := open(t, "p=algebra&op=logical_product&a=4:1&b=(2,3):(3,1)")
	p.waitText("[data-testid=side-r] figcaption", "(4,(2,3))")
	// Element (1,0) of B has the index 1 and the offset 3: its copy is the second column of the result.
	p.point("[data-testid=side-b] canvas", 1, 0)
	p.lit("[data-testid=side-r] canvas", [2]int{0, 1}, [2]int{1, 1}, [2]int{2, 1}, [2]int{3, 1})
}
