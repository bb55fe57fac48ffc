package probe

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"girih/banks"
)

// A Verdict is what a measurement says of package banks.
type Verdict struct {
	Agree   bool
	Unknown bool   // package banks refuses the access, or the clock says nothing about what it counts
	Text    string // what was measured and what is expected, or why it is not known
}

// What moves between blocks takes on an H200: 32 bytes of a load, or a packet of a store, in 1.5 cycles.
const cyclesOfSector, cyclesOfPacket = 1.5, 1.5

// An Expected is what package banks says of a case.
type Expected struct {
	Wavefronts int // in shared memory
	Traffic    banks.Traffic
	Words      int     // of a bulk copy, that pass through the banks
	Cycles     float64 // 0 where no rule is known
	Why        string  // there is none
}

// Expect returns what package banks has of a case. The error is that of [banks.ParseAccess] or
// [banks.Target.Rule], or says that nothing is known.
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

// expectBulk returns what is known of a bulk copy, whose numbers are its place in shared memory, where it goes between
// blocks, its size and the other place.
func expectBulk(c Case) (e Expected, err error) {
	first, bytes, second := c.Addr[0], c.Addr[1], c.Addr[2]
	if bytes == 0 {
		return e, errors.New("nothing is copied: what is counted is what the kernel does besides")
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

// expectCopy returns what is known of cp.async.cg, whose addresses are on one side, and contiguous on the other.
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

// Judge compares records of a machine with package banks, one by one. Counters must agree exactly. Cycles are those
// of a busy machine, which can do nothing else faster. In a block's own shared memory they are the wavefronts, unless
// issuing an access or moving its data takes longer, which is seen in the accesses of the instruction with the fewest.
// Loads from another block's take 1.5 for each sector and stores to it 1.5 for each packet, on an sm90, or what its
// banks take; what takes longer is unknown. They may be 0.75 and 6 % off. The error says that no [Op] has a record's
// name.
func Judge(t banks.Target, records []Record) ([]Verdict, error) {
	verdicts := make([]Verdict, len(records))
	expected := make([]float64, len(records)) // cycles
	least, floor := map[string]float64{}, map[string]float64{}
	for i, r := range records {
		c, err := r.Case()
		if err != nil {
			return nil, err
		}
		e, err := Expect(t, c)
		if err != nil {
			verdicts[i] = Verdict{Unknown: true, Text: err.Error()}
			continue
		}
		verdicts[i] = r.counted(e)
		switch {
		case r.Cycles == 0:
			continue
		case e.Cycles == 0:
			if !r.hasCounters() {
				verdicts[i] = Verdict{Unknown: true, Text: "no counter was read: " + e.Why}
			}
			continue
		}
		expected[i] = e.Cycles
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

// remoteCycles returns the cycles of a load from another block or a store to it: those of what moves between them, or
// the wavefronts that the banks there take for it, twice for a store of less than a word. Of atomics no rule is known,
// which is 0.
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
		passes = 2 // the word is read, and written
	}
	return math.Max(moving, float64(passes*n.Wavefronts)), err
}

func (r *Record) hasCounters() bool {
	return slices.ContainsFunc(r.counts(), func(x **int) bool { return *x != nil })
}

// counted compares the counters.
func (r *Record) counted(e Expected) Verdict {
	expected := []int{e.Wavefronts, e.Traffic.Sectors, e.Traffic.Lines, e.Words}
	for k, measured := range r.counts() {
		if *measured != nil && **measured != expected[k] {
			what := []string{"wavefronts", "sectors", "lines", "words"}[k]
			return Verdict{Text: fmt.Sprintf("%d %s, expected %d", **measured, what, expected[k])}
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
