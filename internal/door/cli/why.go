package cli

import "girih/internal/service"

// whyCommand takes its text as girih read does.
func whyCommand(c *command) {
	finds := func(text string) bool { return new(service.Session).Why(service.WhyRequest{Text: text}).OK }
	takeText(c, finds, func(text string) error {
		c.request.(*service.WhyRequest).Text = text
		return c.print(c.ask())
	})
}
