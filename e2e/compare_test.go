package e2e

import "testing"

func TestCompare(t *testing.T) {
	p := open(t, "p=compare")
	verdict := "[data-testid=verdict]"
	p.waitText(verdict, "different at")
	p.write("#cmpA", "(4,8):(8,1)")
	p.write("#cmpB", "(4,8):(8,2)")
	p.waitText(verdict, "different at 28 of 32; first at (0,1), index 4: A gives 1, B gives 2")
	p.settle() // wait until the grid is in its final place
	p.point("[data-testid=half-A] canvas", 2, 3)
	p.framed("[data-testid=half-A] canvas", 2, 3)
	p.framed("[data-testid=half-B] canvas", 2, 3)
	// The same function in another form.
	p.write("#cmpB", "((2,2),8):((8,16),1)")
	p.waitText(verdict, "one function on all 32 coordinates")
	// B is A transposed: A(m,n) = B(n,m).
	p.write("#cmpB", "(8,4):(1,8)")
	p.waitText(verdict, "different")
	p.waitText("[data-testid=relation]", "B is A transposed: B(n,m) = A(m,n)")
	p.choose("select", "transpose")
	p.waitText(verdict, "one function on all 32 coordinates")
	p.wait("location.hash.includes('order=transpose')")
	p.point("[data-testid=half-A] canvas", 2, 3)
	p.framed("[data-testid=half-B] canvas", 3, 2)
	p.choose("select", "index")
	p.write("#cmpB", "16:1")
	p.waitText(verdict, "A has 32 elements, B has 16")
	p.write("#cmpB", "16:")
	p.waitText("[data-testid=fault]", "syntax")
}

// TestCompareSelection checks that a selected element stays lit while it exists. If an edit removes the element, no
// cells are paler.
func TestCompareSelection(t *testing.T) {
	half := "[data-testid=half-A] canvas"
	p := open(t, "p=compare&a=(4,8):(8,1)&b=(4,8):(8,2)&s=14")
	p.framed(half, 2, 3)
	p.load("p=compare&a=(4,2):(2,1)&b=(4,2):(1,4)&s=14")
	p.wait("document.querySelector('[data-testid=verdict]')")
	p.settle()
	if pale := get[bool](p, "girihTest.pale("+quote(half)+")"); pale {
		t.Error("the cells are pale beside an element that is not there")
	}
	p.point(half, 1, 1)
	p.wait("girihTest.pale(" + quote(half) + ")")
}
