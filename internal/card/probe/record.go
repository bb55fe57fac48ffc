package probe

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"strings"
)

// A Machine describes where records were measured: the first line of a file.
type Machine struct {
	Device string `json:"device"`           // name of the card
	Chip   string `json:"chip"`             // as PTX names it: "sm_90"
	Driver string `json:"driver"`           // the version of the driver
	Date   string `json:"date"`             // the day, as 2026-11-23
	Method string `json:"method,omitempty"` // how the values were measured, in a sentence
	Litmus int    `json:"litmus,omitempty"` // the litmus tests in the file; 0 in another file
}

// A Record is a case with its measurements. Quantities that were not measured are left out.
type Record struct {
	Op   string   `json:"op"`
	Name string   `json:"name"` // the name of the pattern
	Addr []*int64 `json:"addr"` // as in [Case]; null for an inactive lane
	// The values of the hardware counters, see [Op.Counters].
	Wavefronts *int `json:"wavefronts,omitempty"`
	Sectors    *int `json:"sectors,omitempty"`
	Lines      *int `json:"lines,omitempty"`
	Words      *int `json:"words,omitempty"` // words of a bulk copy that pass through the banks
	// Cycles is the time of one access of a warp while eight warps repeat the access.
	Cycles float64 `json:"cycles,omitempty"`
}

// NewRecord returns the record of a case without measurements.
func NewRecord(c Case) Record {
	r := Record{Op: c.Op.Name, Name: c.Name, Addr: make([]*int64, len(c.Addr))}
	for i := range c.Addr {
		if c.Addr[i] != Inactive {
			r.Addr[i] = &c.Addr[i]
		}
	}
	return r
}

// counts returns the counters, in the order of [Op.Counters].
func (r *Record) counts() []**int { return []**int{&r.Wavefronts, &r.Sectors, &r.Lines, &r.Words} }

// Case returns the case of a record. The error says that no Op has its name or that there are too many addresses.
func (r Record) Case() (Case, error) {
	o, ok := FindOp(r.Op)
	if !ok {
		return Case{}, fmt.Errorf("no instruction %q is measured", r.Op)
	}
	if len(r.Addr) > Lanes {
		return Case{}, fmt.Errorf("%s has %d addresses: a warp has %d lanes", r.Op, len(r.Addr), Lanes)
	}
	c := Case{o, r.Name, make([]int64, len(r.Addr))}
	for i, a := range r.Addr {
		c.Addr[i] = Inactive
		if a != nil {
			c.Addr[i] = *a
		}
	}
	return c, nil
}

// WriteRecords writes a file of records: the machine, then one record per line.
func WriteRecords(w io.Writer, m Machine, records []Record) error {
	b := bufio.NewWriter(w)
	enc := json.NewEncoder(b)
	if err := enc.Encode(m); err != nil {
		return err
	}
	for _, r := range records {
		if err := enc.Encode(r); err != nil {
			return err
		}
	}
	return b.Flush()
}

// ReadRecords reads a file of [WriteRecords].
func ReadRecords(r io.Reader) (Machine, []Record, error) {
	var m Machine
	dec := json.NewDecoder(bufio.NewReader(r))
	if err := dec.Decode(&m); err != nil {
		return m, nil, fmt.Errorf("the first line, which says where it was measured: %w", err)
	}
	var records []Record
	for {
		var rec Record
		switch err := dec.Decode(&rec); {
		case err == io.EOF:
			return m, records, nil
		case err != nil:
			return m, nil, fmt.Errorf("record %d: %w", len(records)+1, err)
		case len(records) == maxLaunches:
			return m, nil, fmt.Errorf("more than %d records", maxLaunches)
		}
		records = append(records, rec)
	}
}

// Join adds the counters of the launches to the records, in order. The error says which launch has another kernel than
// its record, how many launches there are, or that the table lacks all counters of an instruction.
func Join(records []Record, t *Table) error {
	if len(records) != len(t.Launches) {
		return fmt.Errorf("%d launches of %d accesses", len(t.Launches), len(records))
	}
	for i, l := range t.Launches {
		o, ok := FindOp(records[i].Op)
		if !ok || o.OnceKernel() != l.Kernel {
			return fmt.Errorf("launch %d is of kernel %s, and access %d is %s", i+1, l.Kernel, i+1, records[i].Op)
		}
		found := false
		for k, name := range o.Counters() {
			x, ok := t.Value(l, name)
			if !ok || name == "" {
				continue
			}
			found = true
			n := int(x)
			*records[i].counts()[k] = &n
		}
		if !found {
			return fmt.Errorf("the table has no counter of %s: %s", o.Name, strings.Join(o.Counters(), " "))
		}
	}
	return nil
}
