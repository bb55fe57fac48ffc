package program

func (p *parser) cpp() []Stmt { return nil }
