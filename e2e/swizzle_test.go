package e2e

import (
	"testing"

	"github.com/chromedp/chromedp/kb"
)

// TestSwizzleSliders uses (8,64):(64,1) in f16, where each row fills all banks once. ldmatrix causes 8-way conflicts
// without a swizzle, 2-way conflicts with a swizzle of two bits, and no conflicts with three bits.
func TestSwizzleSliders(t *testing.T) {
	p := open(t, "p=swizzle")
	p.waitText("[data-testid=degree-before]", "8-way 64 wavefronts in 2 instructions, at best 8")
	p.waitText("[data-testid=degree-after]", "conflict-free 8 wavefronts")
	slider := func(name, key string) {
		p.js("document.querySelector('input[type=range][aria-label^=\"" + name + ":\"]').focus()")
		p.keys(key)
	}
	slider("B", kb.ArrowLeft)
	p.waitText("[data-testid=swizzle]", "Sw<2,3,3>")
	p.waitText("[data-testid=degree-after]", "2-way 16 wavefronts")
	slider("B", kb.ArrowLeft)
	slider("B", kb.ArrowLeft)
	p.waitText("[data-testid=swizzle]", "Sw<0,3,3>")
	p.waitText("[data-testid=degree-after]", "8-way")
	p.wait("location.hash.includes('B=0')")
	slider("S", kb.ArrowRight)
	slider("M", kb.ArrowRight)
	p.waitText("[data-testid=swizzle]", "Sw<0,4,4>")
	p.waitText("[data-testid=after] figcaption", "Sw<0,4,4> o 0 o (8,64):(64,1)")
}

// TestSwizzlePoints points at an element of the swizzled tile: its offset, byte and bank are below the grid.
func TestSwizzlePoints(t *testing.T) {
	p := open(t, "p=swizzle")
	p.waitText("[data-testid=at-after]", "point at an element")
	p.point("[data-testid=after] canvas", 5, 0)
	p.waitText("[data-testid=at-after]", "(5,0): offset 360, byte 720, bank 20") // 320 ^ 5·8
	p.point("[data-testid=before] canvas", 5, 0)
	p.waitText("[data-testid=at-before]", "(5,0): offset 320, byte 640, bank 0")
}

func TestSwizzleSolves(t *testing.T) {
	p := open(t, "p=swizzle&B=0&M=1&S=1")
	p.waitText("[data-testid=degree-after]", "8-way")
	p.click(button("solve"))
	p.waitText("[data-testid=solution]", "The smallest swizzle without conflicts: Sw<3,3,3>")
	p.waitText("[data-testid=solution]", "Sw<3,4,3> in bytes")
	p.waitText("[data-testid=swizzle]", "Sw<3,3,3>")
	p.waitText("[data-testid=degree-after]", "conflict-free")
	// CuTe refuses a swizzle with more bits than its shift. The page reports this error and continues.
	p.js("document.querySelector('input[type=range][aria-label^=\"B:\"]').focus()")
	p.keys(kb.ArrowRight)
	p.waitText("[data-testid=swizzle]", "Sw<4,3,3>")
	p.wait("document.querySelector('[data-testid=fault]')")
	p.keys(kb.ArrowLeft)
	p.waitText("[data-testid=degree-after]", "conflict-free")
}

func TestSwizzleTile(t *testing.T) {
	p := open(t, "p=swizzle")
	p.write("#tile", "(8,64):(72,1)") // padded: free of conflicts without a swizzle
	p.waitText("[data-testid=degree-before]", "conflict-free")
	p.click(button("solve"))
	p.waitText("[data-testid=solution]", "The tile is free of conflicts as it is.")
	p.write("#tile", "(8,64")
	p.waitText("[data-testid=fault]", "syntax")
}

// TestSwizzleTakesApart uses a swizzle that separates elements that an instruction accesses as contiguous. The side
// with the swizzle reports this, and states how many elements must be contiguous.
func TestSwizzleTakesApart(t *testing.T) {
	p := open(t, "p=swizzle&t=e2m1&tile=(8,128):(128,1)")
	p.waitText("[data-testid=degree-before]", "4-way 16 wavefronts in 1 instruction, at best 4")
	p.waitText("[data-testid=degree-after]", "not possible (was 4-way)")
	p.waitText("[data-testid=after] [data-testid=fault]", "ldmatrix.x4 accesses 32 contiguous elements")
	p.js("document.querySelector('input[type=range][aria-label^=\"M:\"]').focus()")
	p.keys(kb.ArrowRight + kb.ArrowRight)
	p.waitText("[data-testid=degree-after]", "wavefronts in 1 instruction")
	p.wait("!document.querySelector('[data-testid=fault]')")
	// An unknown access is reported only once.
	p.load("p=swizzle&access=nosuch")
	p.wait("document.querySelectorAll('[data-testid=fault]').length === 1")
}

// TestSwizzleOfPastedTile checks that a tile in another notation is read and then swizzled.
func TestSwizzleOfPastedTile(t *testing.T) {
	p := open(t, "p=swizzle")
	for _, tile := range []string{"Layout<Shape<_8,_64>,Stride<_72,_1>>", "let x = (8,64):(72,1); x"} {
		p.write("#tile", "4:")
		p.wait("document.querySelector('[data-testid=fault]')")
		p.write("#tile", tile)
		p.waitText("[data-testid=after] figcaption", "Sw<3,3,3> o 0 o (8,64):(72,1)")
		p.waitText("[data-testid=degree-after]", "wavefronts")
		p.wait("!document.querySelector('[data-testid=fault]')")
	}
}

// TestSwizzleThreads writes the threads of accesses after @; commas inside parentheses separate no accesses.
func TestSwizzleThreads(t *testing.T) {
	p := open(t, "p=swizzle&tile=(32,32):(32,1)&t=f32&B=0")
	p.write("input[list=accesses]", "st@(32,32):(1,32), ld@cols")
	p.waitText("[data-testid=degree-before]", "32-way")
	p.click(button("solve"))
	p.waitText("[data-testid=solution]", "The smallest swizzle without conflicts: Sw<5,0,5>")
}
