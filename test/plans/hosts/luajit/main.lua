-- A program of this folder in LÖVE, without a window.
function love.load(given)
  arg = given
  require(os.getenv("GAME"))
  love.event.quit()
end
