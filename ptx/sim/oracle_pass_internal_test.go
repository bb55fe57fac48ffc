package sim

import "math/rand/v2"

// This file adds messages between warps to the programs of oracle_internal_test.go.

// pass adds a message: some warps write data, one lane of each writes a flag, and lanes of another warp first read the
// flag and then the data. A fence, a release, an acquire or a meeting of lanes may be missing.
func (p *oracleProgram) pass(r *rand.Rand) {
	n, flag := p.blocks*p.warps, 96
	from := uint32(1) << r.IntN(n)
	to, shared := all&^from, p.blocks == 1 && r.IntN(2) == 0
	lane := uint32(1) << r.IntN(lanes)
	access := oracleStep{bytes: 4, shared: shared, times: 1, places: 32, scope: pick(r, ofGPU, ofGPU, ofBlock)}
	data, sign := access, access
	sign.strong, sign.times, sign.from, sign.places = true, 0, flag, oracleBytes/4
	add := func(s oracleStep, op string, warps, mask uint32) {
		s.op, s.warps, s.lanes, s.write = op, warps, mask, op == "st"
		p.steps = append(p.steps, s)
	}
	maybe := func(op string, warps, mask uint32) {
		if r.IntN(3) > 0 {
			add(oracleStep{scope: pick(r, ofGPU, ofGPU, ofBlock)}, op, warps, mask)
		}
	}
	add(data, "st", from, pick(r, all, lane))
	maybe("meet", ^uint32(0), all)
	maybe("fence", from, pick(r, all, lane))
	release, acquire := sign, sign
	release.rel, acquire.acq = r.IntN(3) > 0, r.IntN(3) > 0
	add(release, "st", from, lane)
	who := pick(r, all, lane, 1, 0xffff)
	add(acquire, "ld", to, who)
	maybe("fence", to, pick(r, all, who))
	maybe("meet", ^uint32(0), pick(r, all, all, who|0xff))
	data.flip = pick(r, 0, 0, 1, 16)
	add(data, pick(r, "ld", "ld", "st"), to, pick(r, all, all, 2, who))
}
