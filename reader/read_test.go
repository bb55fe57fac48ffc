package reader_test

// cases are texts and what is in them.
var cases = []struct {
	name, text string
	want       []string
}{}
