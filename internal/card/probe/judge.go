package probe

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"girih/banks"
)

// A Verdict compares a measurement with package banks.
type Verdict struct {
	Agree   bool
	Unknown bool   // package banks refuses the access, or the clock cannot show the counts
	Text    string // the measured and the expected value, or the reason why it is unknown
}

// Between blocks, an H200 moves 32 bytes of a load, or a packet of a store, in 1.5 cycles.
const cyclesOfSector, cyclesOfPacket = 1.5, 1.5

// An Expected has the numbers of package banks for a case.
type Expected struct {
	Wavefronts int // the wavefronts in shared memory
	Traffic    banks.Traffic
	Words      int     // words of a bulk copy that pass through the banks
	Cycles     float64 // 0 if no rule is known
	Why        string  // why no rule is known
}

// Expect returns the counts and cycles of package banks for a case. It returns the errors of [banks.ParseAccess] and
// [banks.Target.Rule], or an error if nothing is known.
func Expect(t banks.Target, c Case) (e Expected, err error) {
	e.Why = "no rule of its time is known"
	name := c.Op.Code.Name()
	switch {
	case c.Op.Bulk():
		return expectBulk(c)
	case name == "cp" && c.Op.Code.Has("cg"):
		return expectCopy(t, c)
	case c.Op.Space == Global && (name == "atom" || name == "red"):
		e.Traffic, err = banks.AtomicTraffic(c.Addr, int(c.Op.Bytes))
		return e, err
	case c.Op.Space != Shared:
		if e.Traffic, err = banks.RequestTraffic(c.Addr, int(c.Op.Bytes)); err == nil && c.Op.Space == Remote && t.Name() == "sm90" {
			e.Cycles, err = remoteCycles(t, c, e.Traffic)
		}
		return e, err
	}
	a, err := banks.ParseAccess(c.Op.Name, 0)
	if err != nil {
		return e, err
	}
	n, err := banks.Wavefronts(t, a, c.Addr)
	e.Wavefronts, e.Cycles = n.Wavefronts, float64(n.Wavefronts)
	return e, err
}

// expectBulk returns the numbers of a bulk copy. The numbers of the case are its place in shared memory (of the
// destination, between blocks), its size and the other place.
func expectBulk(c Case) (e Expected, err error) {
	first, bytes, second := c.Addr[0], c.Addr[1], c.Addr[2]
	if bytes == 0 {
		return e, errors.New("nothing is copied: the counters show only the rest of the kernel")
	}
	e.Why = "no rule of its time is known"
	if e.Words, _, err = banks.BulkBanks(bytes); err != nil {
		return e, err
	}
	count := banks.BulkTraffic
	if c.Op.Space == Remote {
		count = banks.RemoteBulkTraffic
	}
	e.Traffic, err = count(first, second, bytes)
	return e, err
}

// expectCopy returns the numbers of cp.async.cg, whose addresses vary on one side and are contiguous on the other.
func expectCopy(t banks.Target, c Case) (e Expected, err error) {
	a, err := banks.ParseAccess("cp.async.cg.16", 0)
	if err != nil {
		return e, err
	}
	if _, err := t.Rule(a); err != nil {
		e.Why = err.Error()
	}
	other := make([]int64, len(c.Addr))
	for l, at := range c.Addr {
		other[l] = banks.Inactive
		if at != Inactive {
			other[l] = int64(l) * c.Op.Bytes
		}
	}
	if c.Op.Space == Global {
		e.Traffic, err = banks.CopyTraffic(other, c.Addr)
	} else {
		e.Traffic, err = banks.CopyTraffic(c.Addr, other)
	}
	return e, err
}

// Judge compares records of a machine with package banks, one by one. Counters must agree exactly. Cycles are measured
// on a busy machine, which cannot go faster by overlapping other work. In a block's own shared memory they equal the
// wavefronts, unless issuing an access or moving its data takes longer; the fastest accesses of the instruction show
// how long that takes. On an sm90, loads from another block's shared memory take 1.5 cycles for each sector and stores
// to it 1.5 for each packet, or the time of the banks there; longer times are unknown. Cycles may differ by 0.75 and
// 6 %. The error says that no [Op] has a record's name.
func Judge(t banks.Target, records []Record) ([]Verdict, error) {
	verdicts := make([]Verdict, len(records))
	expected := make([]float64, len(records)) // cycles
	floors := map[string]floor{}
	for i, r := range records {
		c, err := r.Case()
		if err != nil {
			return nil, err
		}
		if verdicts[i], expected[i] = r.compare(t, c); expected[i] > 0 {
			floors[r.Op] = floors[r.Op].lower(expected[i], r.Cycles)
		}
	}
	for i, r := range records {
		if expected[i] > 0 && verdicts[i].Agree {
			verdicts[i] = compareCycles(r.Cycles, expected[i], floors[r.Op].cycles)
			if o, _ := FindOp(r.Op); o.Space == Remote && r.Cycles > expected[i] && !verdicts[i].Agree {
				verdicts[i].Unknown = true
			}
		}
	}
	return verdicts, nil
}

// A floor is the longest time among an instruction's accesses with the fewest expected cycles.
type floor struct{ expected, cycles float64 }

// lower returns the floor with another access.
func (f floor) lower(expected, cycles float64) floor {
	switch {
	case f.expected == 0 || expected < f.expected:
		return floor{expected, cycles}
	case expected == f.expected:
		f.cycles = max(f.cycles, cycles)
	}
	return f
}

// compare returns the verdict of the counters, and the expected cycles, or 0 if there is nothing to compare.
func (r *Record) compare(t banks.Target, c Case) (Verdict, float64) {
	e, err := Expect(t, c)
	switch {
	case err != nil:
		return Verdict{Unknown: true, Text: err.Error()}, 0
	case r.Cycles != 0 && e.Cycles == 0 && !r.hasCounters():
		return Verdict{Unknown: true, Text: "no counter was read: " + e.Why}, 0
	case r.Cycles == 0:
		return r.compareCounters(e), 0
	}
	return r.compareCounters(e), e.Cycles
}

// remoteCycles returns the cycles of a load from another block or a store to it: the cycles for moving the data, or
// the wavefronts of the banks there if they are more. A store of less than a word takes its wavefronts twice. For
// atomics no rule is known: it returns 0.
func remoteCycles(t banks.Target, c Case, whole banks.Traffic) (float64, error) {
	name := c.Op.Code.Name()
	moving := cyclesOfSector * float64(whole.Sectors)
	switch name {
	case "ld":
	case "st":
		packets, err := banks.RemotePackets(c.Addr, int(c.Op.Bytes))
		if err != nil {
			return 0, err
		}
		moving = cyclesOfPacket * float64(packets)
	default:
		return 0, nil
	}
	a, err := banks.ParseAccess(fmt.Sprintf("%s.%d", name, 8*c.Op.Bytes), 0)
	if err != nil {
		return 0, err
	}
	n, err := banks.Wavefronts(t, a, c.Addr)
	passes := 1
	if name == "st" && c.Op.Bytes < 4 {
		passes = 2 // the word is read and written
	}
	return math.Max(moving, float64(passes*n.Wavefronts)), err
}

func (r *Record) hasCounters() bool {
	return slices.ContainsFunc(r.counts(), func(x **int) bool { return *x != nil })
}

// compareCounters compares the counters.
func (r *Record) compareCounters(e Expected) Verdict {
	expected := []int{e.Wavefronts, e.Traffic.Sectors, e.Traffic.Lines, e.Words}
	for k, measured := range r.counts() {
		if *measured != nil && **measured != expected[k] {
			what := []string{"wavefronts", "sectors", "lines", "words"}[k]
			return Verdict{Text: fmt.Sprintf("%d %s, expected %d", **measured, what, expected[k])}
		}
	}
	return Verdict{Agree: true}
}

// compareCycles compares cycles with the expected ones. Below 1.5 times the floor, other costs of an access may show.
func compareCycles(cycles, expected, floor float64) Verdict {
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
