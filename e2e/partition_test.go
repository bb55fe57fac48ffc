package e2e

import "testing"

// TestPartition checks that the Copy and the MMA page divide a tensor among the threads: the layout of a thread's part, what its
// modes count, and the elements that are lit.
func TestPartition(t *testing.T) {
	p := open(t, "p=copy&th=5&tn=(64,64):(64,1)")
	p.waitText("[data-testid=part]", "((8,1),4,1):((1,0),1024,0) at offset 40")
	p.waitText("[data-testid=partition]", "thread 5: 8 values of one instruction, 4 instructions along mode 0, 1 instruction along mode 1")
	p.write("#tensor", "(60,64):(64,1)")
	p.waitText("[data-testid=partition] [data-testid=fault]", "60")
	p.load("p=mma")
	p.click("document.querySelector('[data-testid=partition] summary')")
	p.waitText("[data-testid=part]", "((2,2),2,2):")
	p.choose("[data-testid=partition] select", "A")
	p.waitText("[data-testid=partition]", "8 values of one instruction, 2 instructions along M, 2 instructions along K")
	p.wait("location.hash.includes('pt=A')")
}

// TestDescriptor checks that the MMA page shows the descriptor of an operand in shared memory, and refuses a layout that
// the instruction cannot read.
func TestDescriptor(t *testing.T) {
	p := open(t, "p=mma&atom=SM90_64x64x16_F32F16F16_SS")
	p.waitText("[data-testid=descriptor-A]", "legal: SW128, K-major, LBO 16, SBO 1024")
	p.wait("document.querySelector('.small-chips [aria-pressed=true]')?.innerText === 'sm90'")
	p.write("#ma", "(128,64):(72,1)")
	p.waitText("[data-testid=descriptor-A] .failed", "not legal")
	p.click("document.querySelector('[data-testid=descriptor-B] .link')")
	p.waitText("main", "Layout_K_SW128_Atom<half_t>")
}

// TestMMAThread checks that the elements of a thread are listed at its field, and that the grids by thread are folded.
func TestMMAThread(t *testing.T) {
	p := open(t, "p=mma&thread=5")
	p.waitText("[data-testid=holdings]", "V0 (1,2)")
	p.wait("document.querySelector('[data-testid=holdings]').getBoundingClientRect().bottom < innerHeight")
	if n := p.count("[data-testid=hardware-0] canvas"); n != 0 {
		t.Errorf("%d grids by thread are open at first", n)
	}
	p.click("document.querySelector('[data-testid=hardware-0] summary')")
	p.wait("document.querySelector('[data-testid=hardware-0] canvas')")
	// Another filter begins at the top of the list.
	p.js("document.querySelector('.browser ul').scrollTop = 1000")
	p.click(button("gfx942"))
	p.wait("document.querySelector('.browser ul').scrollTop === 0 && document.querySelector('.browser ul').innerText.includes('v_mfma_')")
}
