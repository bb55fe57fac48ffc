package view

import "fmt"

// tallRows is the number of rows from which repeating rows are omitted.
const tallRows = 32

// repeat sets the number of drawn rows. In a tall picture it draws only the first rows if all others repeat them,
// with offsets that differ by a constant and equal fills. It returns a sentence that says so.
func (s *swizzlePicture) repeat(o Options) string {
	s.shown = s.rows
	if s.rows < tallRows {
		return ""
	}
	for n := 4; n <= s.rows/4; n *= 2 {
		if s.rows%n != 0 || !s.across && n%s.vector != 0 || !s.repeats(n, o) {
			continue
		}
		s.shown = n
		at := func(r int) int64 { return s.before[r] - s.before[0] }
		note := fmt.Sprintf("Rows %d to %d are left out: each %d rows look like the first", n, s.rows-1, n)
		for k := 2 * n; k < s.rows; k += n {
			if at(k) != at(n)*int64(k/n) {
				return note + ", at other offsets."
			}
		}
		return fmt.Sprintf("%s, with offsets %+d.", note, at(n))
	}
	return ""
}

// repeats reports whether each group of n rows looks like the first group.
func (s *swizzlePicture) repeats(n int, o Options) bool {
	for i := range s.before {
		r := i % s.rows
		first := i - r + r%n
		by := s.before[r-r%n] - s.before[0]
		if s.before[i]-s.before[first] != by || s.after[i]-s.after[first] != by ||
			s.fill(o.theme(), s.before[i]) != s.fill(o.theme(), s.before[first]) ||
			s.fill(o.theme(), s.after[i]) != s.fill(o.theme(), s.after[first]) {
			return false
		}
	}
	return true
}

// visible returns the rules of the rows that are drawn.
func (s *swizzlePicture) visible(rules []rule) []rule {
	var out []rule
	for _, r := range rules {
		if r.row1 == r.row2 && r.row1 >= s.shown {
			continue
		}
		r.row1, r.row2 = min(r.row1, s.shown), min(r.row2, s.shown)
		out = append(out, r)
	}
	return out
}
