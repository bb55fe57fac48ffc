package e2e

import "testing"

// TestLaid checks that a data layout colors a thread-value picture by sectors and banks, and that the costs are those of
// operations global and bank.
func TestLaid(t *testing.T) {
	p := open(t, "p=copy")
	p.click("document.querySelector('[data-testid=laid] summary')")
	p.write("#laid", "(16,64):(64,1)")
	p.waitText("[data-testid=laid-cost]", "512 sectors instead of 64") // element by element
	p.wait("document.querySelector('[data-testid=logical-0] [data-testid=legend]')?.innerText.includes('sector 0 to 7')")
	p.write("[data-testid=laid] input", "ld.128")
	p.waitText("[data-testid=laid-cost]", "coalesced: 4 requests of ld.128 move 64 sectors of 32 bytes, and 100 % of the bytes are used.")
	p.point("[data-testid=logical-0] canvas", 3, 17)
	p.inspects(map[string]string{"coordinate": "(3,17)", "byte": "418", "sector": "13"})
	p.choose("[data-testid=laid] select:has(option[value=shared])", "shared")
	p.waitText("[data-testid=laid-cost]", "free of conflicts: 4 instructions of ld.128 take 16 wavefronts.")
	p.wait("location.hash.includes('din=shared') && location.hash.includes('dx=ld.128')")
	p.write("#laid", "(8,64):(64,1)")
	p.waitText("[data-testid=laid] [data-testid=fault]", "expected a layout of the 16 × 64 elements of S, found 8 × 64")

	p.load("p=mma&d=(32,16):(16,1)&din=shared")
	p.waitText("[data-testid=laid-cost]", "2-way conflicts: 32 instructions of ld take 64 wavefronts; without conflicts 32.")
	p.choose("[data-testid=laid] select", "C")
	p.waitText("[data-testid=logical-2] [data-testid=legend]", "bank 0 to 31")
}
