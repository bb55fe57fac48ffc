package service

// SayingExamples returns the counterexamples of the table of sayings.
func SayingExamples() (list []string) {
	for _, s := range sayings {
		list = append(list, s.example)
	}
	return list
}
