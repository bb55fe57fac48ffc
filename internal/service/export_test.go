package service

// SayingExamples returns the counterexamples of the table of sayings.
func SayingExamples() (list []string) {
	for _, s := range sayings {
		list = append(list, s.example)
	}
	return list
}

// Runs returns how many runs are kept.
func (p *Pages) Runs() int { return len(p.runs) }
