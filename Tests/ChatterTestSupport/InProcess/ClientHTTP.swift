import ChatterClient

// The client and the WebSockets wrapper both name their types so, and a module of the same name as its main class
// cannot be used to tell them apart. This file sees the client's alone.
public typealias ClientHTTPRequest = HTTPRequest
public typealias ClientHTTPResponse = HTTPResponse
