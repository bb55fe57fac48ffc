package reader

// This file joins the steps in which Go source builds a value, as girih show --as go writes it: w0, err :=
// cute.NewSwizzle(3, 4, 3), and then c0, err := cute.NewComposed(w0, cute.Int(0), cute.MustParse("8:1")).

// maxSteps limits how far back, in values, a name is looked up.
const maxSteps = 8

// steps replaces the names of variables by their values, and drops the values that were used.
func (s *search) steps() {
	names := make(map[int]string) // by index into s.found
	for i := range s.found {
		if name := s.assignedName(s.found[i].first); name != "" {
			names[i] = name
		}
	}
	if len(names) == 0 {
		return
	}
	used := make(map[int]bool)
	for i := range s.found {
		n := s.found[i].node
		if names[i] == "" || n.kind != nodeCompose {
			continue
		}
		var kids []*node
		for _, k := range n.kids {
			if at := s.variable(names, i, k); at >= 0 {
				used[at] = true
				k = s.found[at].node
			}
			if k.kind == nodeCompose {
				kids = append(kids, k.kids...)
				continue
			}
			kids = append(kids, k)
		}
		n.kids = kids
	}
	if len(used) == 0 {
		return
	}
	out := s.found[:0]
	for i := range s.found {
		if !used[i] {
			out = append(out, s.found[i])
		}
	}
	s.found = out
}

// variable returns the place of the value that a name had before place i, or -1.
func (s *search) variable(names map[int]string, i int, k *node) int {
	for at := i - 1; at >= 0 && at >= i-maxSteps && k.kind == nodeSym; at-- {
		if names[at] == k.text {
			return at
		}
	}
	return -1
}

// assignedName returns NAME if the token follows NAME, err :=.
func (s *search) assignedName(first int) string {
	if first < 5 || s.toks[first-1].c != '=' || s.toks[first-2].c != ':' || s.toks[first-3].kind != tokIdent ||
		s.toks[first-4].c != ',' || s.toks[first-5].kind != tokIdent {
		return ""
	}
	return s.text(&s.toks[first-5])
}
