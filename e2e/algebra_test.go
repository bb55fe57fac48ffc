package e2e

import (
	"fmt"
	"testing"
)

// algebra lists the result of each operation for its initial operands.
var algebra = []struct{ op, value string }{
	{"composition", "((2,2),3):((24,2),8)"},
	{"complement", "(3,2):(2,12)"},
	{"logical_divide", "((3,3),((2,4),(2,2))):((177,59),((13,2),(26,1)))"},
	{"zipped_divide", "((3,(2,4)),(3,(2,2))):((177,(13,2)),(59,(26,1)))"},
	{"tiled_divide", "((4,8),2,2):((16,1),64,8)"},
	{"flat_divide", "(4,8,2,2):(16,1,64,8)"},
	{"logical_product", "((2,2),(2,3)):((4,1),(2,8))"},
	{"blocked_product", "((2,3),(5,4)):((5,10),(1,30))"},
	{"raked_product", "((3,2),(4,5)):((10,5),(30,1))"},
	{"zipped_product", "((2,2),(2,3)):((4,1),(2,8))"},
	{"right_inverse", "(4,2,6):(2,1,8)"},
	{"left_inverse", "(10,4):(4,1)"},
	{"coalesce", "12:1"},
}

func TestAlgebraOperations(t *testing.T) {
	p := open(t, "p=algebra")
	if n := p.count("[role=radio]"); n != len(algebra) {
		t.Errorf("the page has %d operations, the test %d", n, len(algebra))
	}
	for _, c := range algebra {
		p.click(button(c.op))
		p.wait("document.querySelector('[data-testid=value]')?.textContent === " + quote(c.value))
		p.wait("document.querySelectorAll('.steps-card li').length > 0")
		p.waitText(".steps-card .result", c.value) // the explanation belongs to this operation
		p.wait("document.querySelector('[data-testid=side-r] figcaption code')?.textContent === " + quote(c.value))
		if p.count("[data-testid=fault]") > 0 {
			t.Errorf("%s shows an error: %s", c.op, p.text("[data-testid=fault]"))
		}
	}
}

func TestAlgebraLive(t *testing.T) {
	p := open(t, "p=algebra")
	p.write("#opB", "(6,2):(1,6)")
	p.waitText("[data-testid=value]", "(6,2):(8,2)")
	p.write("#opA", "24:2")
	p.waitText("[data-testid=value]", "(6,2):(2,12)")
	p.waitText("[data-testid=side-a] figcaption", "24:2")
}

// TestAlgebraRefuses checks that the page names the coordinate at which a composition is refused, and that the last
// result stays visible but paler.
func TestAlgebraRefuses(t *testing.T) {
	p := open(t, "p=algebra")
	p.wait("document.querySelector('[data-testid=value]')")
	p.write("#opA", "(6,2):(1,7)")
	p.write("#opB", "(3,2):(2,3)")
	p.waitText("[data-testid=fault]", "not_representable")
	p.waitText("[data-testid=fault]", "witness: at index 5, coordinate (2,1) the value is 8, a layout would give 7")
	p.wait("document.querySelector('.trio .side-r.stale')")
	p.waitText(".steps-card .failed", "digit 0 reaches 2·2 + 1·3 = 7, its extent is 6")
	p.write("#opB", "(3,4")
	p.wait("document.querySelector('#opB').parentElement.querySelector('.wrong')")
}

// TestAlgebraLinks points at element 3 of B = (4,3):(3,1), whose offset is 9. This lights element 3 of the result and
// element (3,1) of A, which has the index 9.
func TestAlgebraLinks(t *testing.T) {
	p := open(t, "p=algebra")
	p.wait("document.querySelector('[data-testid=side-r] canvas')")
	p.settle()
	side := func(s string) string { return "[data-testid=side-" + s + "] canvas" }
	p.point(side("b"), 3, 0)
	p.framed(side("b"), 3, 0)
	lit := func(s string, row, col int) string {
		return fmt.Sprintf("String(girihTest.brightest(%s)) === '%d,%d'", quote(side(s)), row, col)
	}
	p.wait(lit("a", 3, 1))
	p.wait(lit("r", 3, 0))
	p.point(side("a"), 0, 1) // index 6 of A is the offset of (2,0) in B
	p.wait(lit("b", 2, 0))
	p.wait(lit("r", 2, 0))
}

// TestAlgebraReadsOperands checks that an operand may be any text with a value: a C++ type, a program, a text with a
// comment. The operation applies to the value.
func TestAlgebraReadsOperands(t *testing.T) {
	p := open(t, "p=algebra")
	for _, a := range []string{"Layout<Shape<_6,_2>,Stride<_8,_2>>", "let x = (6,2):(8,2); x", "(6,2):(8,2) # the tile", "(6,2)\n:(8,2)"} {
		p.write("#opA", "1:1")
		p.waitText("[data-testid=value]", "(4,3):(3,1)")
		p.write("#opA", a)
		p.waitText("[data-testid=value]", "((2,2),3):((24,2),8)")
		p.waitText(".steps-card", "A = (6,2):(8,2) takes an index apart")
		p.wait("!document.querySelector('[data-testid=fault]')")
	}
}
