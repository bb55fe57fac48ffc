package truth

// A Header describes where records come from: the first line of a file.
type Header struct {
	Device string `json:"device"`
	Chip   string `json:"chip"`
	Driver string `json:"driver"`
	CUDA   string `json:"cuda"`
	Date   string `json:"date"` // the date of the measurement: 2026-11-23
}

// The outcomes for an atom.
const (
	Proven  = "proven"  // the card agrees with the table
	Differs = "differs" // the card does not agree with the table; Reason describes the first difference
	Refused = "refused" // the driver does not compile the instruction; Reason is the driver's log
	Lacks   = "lacks"   // the chip has no such instruction
	Untried = "untried" // there are no experiments on it; Reason gives the cause
)

// A Record is the result of one atom: a line of a file.
type Record struct {
	Atom    string `json:"atom"`
	Operand string `json:"operand,omitempty"`
	Family  string `json:"family"`
	Pattern string `json:"pattern,omitempty"`
	Status  string `json:"status"`
	Cases   int    `json:"cases,omitempty"`  // experiments
	Digest  string `json:"digest,omitempty"` // the digest of the observed table
	Reason  string `json:"reason,omitempty"`
	// Sums compares its sums with a model, for operations with N of at most 8.
	Sums *SumsFinding `json:"sums,omitempty"`
	// Descriptors are random descriptors of shared memory, with the first digits of the digest of what each reads.
	Descriptors []string `json:"descriptors,omitempty"`
}

// Record returns the line of a finding.
func (a Atom) Record(f Finding) Record {
	r := Record{
		Atom: a.Name, Family: a.Family, Pattern: a.Pattern, Status: Proven, Cases: f.Cases, Digest: f.Digest, Reason: f.First,
		Sums: f.Sums, Operand: a.Operand, Descriptors: f.Descriptors,
	}
	if !f.Agrees {
		r.Status = Differs
	}
	return r
}

// Without returns the line of an atom that was not tried.
func (a Atom) Without(status string, why error) Record {
	return Record{
		Atom: a.Name, Operand: a.Operand, Family: a.Family, Pattern: a.Pattern, Status: status, Reason: why.Error(),
	}
}
