package probe

import (
	"fmt"
	"math"

	"girih/analyze"
)

// A Verdict is what a measurement says of package analyze.
type Verdict struct {
	Agree   bool
	Unknown bool   // package analyze refuses the access, or the clock says nothing about what it counts
	Text    string // what was measured and what is expected, or why it is not known
}

// cyclesOfSector is what a sector of another block's shared memory takes, on an H200: 32 bytes in 1.5 cycles.
const cyclesOfSector = 1.5

// Expect returns the wavefronts of a case in shared memory, or its sectors and lines elsewhere, as package analyze has
// them. The error is that of [analyze.ParseAccess] or [analyze.Target.Rule], or says that nothing is known.
func Expect(t analyze.Target, c Case) (wavefronts int, traffic analyze.Traffic, err error) {
	if c.Op.Name == "cp.async.bulk.shared.global" { // its addresses are where to, how much, and where from
		traffic, err = analyze.BulkTraffic(c.Addr[0], c.Addr[2], c.Addr[1])
		return 0, traffic, err
	}
	if c.Op.Bulk() {
		return 0, traffic, fmt.Errorf("how %s moves is not measured", c.Op.Name)
	}
	if c.Op.Space != Shared {
		count := analyze.RequestTraffic
		if name := c.Op.Code.Name(); c.Op.Space == Global && (name == "atom" || name == "red") {
			count = analyze.AtomicTraffic
		}
		traffic, err = count(c.Addr, int(c.Op.Bytes))
		return 0, traffic, err
	}
	a, err := analyze.ParseAccess(c.Op.Name, 0)
	if err != nil {
		return 0, traffic, err
	}
	n, err := analyze.Wavefronts(t, a, c.Addr)
	return n.Wavefronts, traffic, err
}

// Judge compares records of a machine with package analyze, one by one. Counters must agree exactly. Cycles are those of
// a busy machine, which can do nothing else faster. In a block's own shared memory they are the wavefronts, unless
// issuing an access or moving its data takes longer, which is seen in the accesses of the instruction with the fewest.
// Loads from another block's take 1.5 for each sector, on an sm90, or the wavefronts of its banks; what takes longer is
// unknown. They may be 0.75 and 6 % off. The error says that no [Op] has a record's name.
func Judge(t analyze.Target, records []Record) ([]Verdict, error) {
	verdicts := make([]Verdict, len(records))
	expected := make([]float64, len(records)) // cycles
	least, floor := map[string]float64{}, map[string]float64{}
	for i, r := range records {
		c, err := r.Case()
		if err != nil {
			return nil, err
		}
		wavefronts, traffic, err := Expect(t, c)
		if err != nil {
			verdicts[i] = Verdict{Unknown: true, Text: err.Error()}
			continue
		}
		verdicts[i] = r.counted(wavefronts, traffic)
		switch {
		case r.Cycles == 0:
			continue
		case c.Op.Space == Shared:
			expected[i] = float64(wavefronts)
		case c.Op.Space == Remote && c.Op.Code.Name() == "ld" && t.Name() == "sm90":
			if expected[i], err = remoteCycles(t, c, traffic); err != nil {
				return nil, err
			}
		default:
			if !r.hasCounters() {
				verdicts[i] = Verdict{Unknown: true, Text: "no counter was read, and no rule of its time is known"}
			}
			continue
		}
		switch l, ok := least[r.Op]; {
		case !ok || expected[i] < l:
			least[r.Op], floor[r.Op] = expected[i], r.Cycles
		case expected[i] == l:
			floor[r.Op] = max(floor[r.Op], r.Cycles)
		}
	}
	for i, r := range records {
		if expected[i] > 0 && verdicts[i].Agree {
			verdicts[i] = timed(r.Cycles, expected[i], floor[r.Op])
			if o, _ := FindOp(r.Op); o.Space == Remote && r.Cycles > expected[i] && !verdicts[i].Agree {
				verdicts[i].Unknown = true
			}
		}
	}
	return verdicts, nil
}

// remoteCycles returns the cycles of a load from another block: those of its sectors, or the wavefronts that the banks
// there take for it.
func remoteCycles(t analyze.Target, c Case, whole analyze.Traffic) (float64, error) {
	a, err := analyze.ParseAccess(fmt.Sprintf("ld.%d", 8*c.Op.Bytes), 0)
	if err != nil {
		return 0, err
	}
	n, err := analyze.Wavefronts(t, a, c.Addr)
	return math.Max(cyclesOfSector*float64(whole.Sectors), float64(n.Wavefronts)), err
}

func (r Record) hasCounters() bool { return r.Wavefronts != nil || r.Sectors != nil || r.Lines != nil }

// counted compares the counters.
func (r Record) counted(wavefronts int, traffic analyze.Traffic) Verdict {
	for _, x := range []struct {
		what     string
		measured *int
		expected int
	}{{"wavefronts", r.Wavefronts, wavefronts}, {"sectors", r.Sectors, traffic.Sectors}, {"lines", r.Lines, traffic.Lines}} {
		if x.measured != nil && *x.measured != x.expected {
			return Verdict{Text: fmt.Sprintf("%d %s, expected %d", *x.measured, x.what, x.expected)}
		}
	}
	return Verdict{Agree: true}
}

// timed compares cycles with those expected. Below half as much again as the floor what else an access takes is seen.
func timed(cycles, expected, floor float64) Verdict {
	const off, share = 0.75, 0.06
	most := expected
	if expected < 1.5*floor {
		most = math.Max(expected, 1.25*floor)
	}
	if cycles < expected*(1-share)-off || cycles > most*(1+share)+off {
		return Verdict{Text: fmt.Sprintf("%.2f cycles, expected %.4g", cycles, expected)}
	}
	return Verdict{Agree: true}
}
