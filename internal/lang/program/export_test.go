package program

// Steps returns how many times the parser looks at a token of a text.
func Steps(src string, lang Language) int {
	l, err := tokenize(src, lang)
	if err != nil {
		return 0
	}
	p := &parser{lexer: l}
	_ = attempt(func() { p.body(lang) })
	return p.looked
}
