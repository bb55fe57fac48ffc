package glossary

// The engine of a browser has no glossary: its page reads the file.
var compressed []byte
